namespace PerfLab.Runner.Terminals;

/// <summary>What a command talks to: results go to <see cref="Out"/>, everything about the way there to <see cref="Error"/>.</summary>
public sealed record Terminal
{
    public required TextWriter Out { get; init; }
    public required TextWriter Error { get; init; }

    /// <summary>How results are laid out on <see cref="Out"/>.</summary>
    public TerminalStyle Style { get; init; } = new(TerminalStyle.PipeWidth, Colours: false, Ascii: true);

    /// <summary>Progress is redrawn only where a person looks.</summary>
    public bool IsErrorInteractive { get; init; }

    /// <summary>Folder of perf-lab.yaml.</summary>
    public required string Root { get; init; }

    /// <summary>Folder in which the person stands: relative arguments start here.</summary>
    public required string WorkingFolder { get; init; }
    /// <summary>Held while a session measures: one at a time on a machine.</summary>
    public string MachineLock { get; init; } = Path.Combine(Path.GetTempPath(), "perf-lab-machine.lock");

    public TimeProvider Clock { get; init; } = TimeProvider.System;

    public void Say(string line) => Error.WriteLine(line);
}
