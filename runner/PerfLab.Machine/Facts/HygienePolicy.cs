namespace PerfLab.Machine.Facts;

/// <summary>How strict a session is about its machine.</summary>
public enum HygienePolicy
{
    /// <summary>A laptop, CI: nothing is refused, and only what makes a round meaningless voids it.</summary>
    Any,

    /// <summary>A virtual machine of fixed size.</summary>
    Azure,

    /// <summary>A machine of one's own.</summary>
    Metal,
}
