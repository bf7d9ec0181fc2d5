namespace PerfLab.Runner.Terminals;

/// <summary>What a command talks to: results go to <see cref="Out"/>, everything about the way there to <see cref="Error"/>.</summary>
internal sealed record Terminal
{
    private const string Typed = "./perf-lab";

    public required TextWriter Out { get; init; }
    public required TextWriter Error { get; init; }

    /// <summary>How results are laid out on <see cref="Out"/>.</summary>
    public TerminalStyle Style { get; init; } = new(TerminalStyle.PipeWidth, Colours: false, Ascii: true);

    /// <summary>Progress is redrawn only where a person looks.</summary>
    public bool IsErrorInteractive { get; init; }

    /// <summary>Columns of <see cref="Error"/> right now: a window may be resized.</summary>
    public Func<int> ErrorWidth { get; init; } = () => TerminalStyle.PipeWidth;

    /// <summary>Folder of perf-lab.yaml.</summary>
    public required string Root { get; init; }

    /// <summary>Folder in which the person stands: relative arguments start here.</summary>
    public required string WorkingFolder { get; init; }

    /// <summary>How the person started this program, as a shell takes it; the launcher says it.</summary>
    public string Program { get; init; } = Typed;

    /// <summary>Held while a session measures: one at a time on a machine.</summary>
    public string MachineLock { get; init; } = Path.Combine(Path.GetTempPath(), "perf-lab-machine.lock");

    /// <summary>Sessions of a working tree share one error: whoever drives this program looks as often as it likes.</summary>
    public bool SharesLooks { get; init; }

    public TimeProvider Clock { get; init; } = TimeProvider.System;

    public void Say(string line) => Error.WriteLine(InTheirWords(line));

    /// <summary>Texts name the program as it is started in its own checkout; a person elsewhere reads what works there.</summary>
    public string InTheirWords(string line) => line.Replace(Typed + " ", Program + " ");
}
