namespace PerfLab.Launching.Turns;

/// <summary>Holds all processes of one launch, from outside.</summary>
internal interface IFreezer
{
    /// <summary>Stops all of them, and returns when nothing of the launch runs any more; why that can't be had, else null.</summary>
    string? Freeze();

    /// <summary>Processor time that they took since <see cref="Freeze"/>, in seconds.</summary>
    double RanSince();

    /// <summary>What of that is below the kernel's accounting, in seconds.</summary>
    double Tolerance { get; }

    /// <summary>Lets all of them go on; why that can't be had, else null.</summary>
    string? Thaw();

    /// <summary>Whether the program itself was gone when all stood still; asked where only its end tells how far it is.</summary>
    bool IsGone => false;

    /// <summary>Ends all of them, frozen or not.</summary>
    void Kill();
}
