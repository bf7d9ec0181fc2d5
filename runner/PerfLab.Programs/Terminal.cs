using PerfLab.Building.Manifests;

namespace PerfLab.Programs;

/// <summary>What a command talks to: results go to <see cref="Out"/>, everything about the way there to <see cref="Error"/>.</summary>
public sealed record Terminal
{
    private const string Typed = "./perf-lab";

    /// <summary>Results, and nothing else.</summary>
    public required TextWriter Out { get; init; }

    /// <summary>Progress and errors.</summary>
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

    /// <summary>Repeats of the self-test before a session and after each block: 0, or 3 and more; null: as many as it needs.</summary>
    public int? SelfTestRepeats { get; init; }

    /// <summary>By which commands wait, and whose time they note.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>The streams of this process, and the lab of the folder that it was started in.</summary>
    /// <param name="arguments">Its command line: the demo has a lab of its own.</param>
    public static Terminal OfThisProcess(IReadOnlyList<string> arguments)
    {
        var folder = Directory.GetCurrentDirectory();
        // How to type it again: the launcher says how it was called, and a tool is on the path.
        var typed = Environment.GetEnvironmentVariable("PERF_LAB_PROGRAM") ?? (InstalledLab.Folder is null ? null : "perf-lab");
        // The launcher says where the repository is; a published program looks for perf-lab.yaml from here upwards.
        var named = Environment.GetEnvironmentVariable("PERF_LAB_ROOT");
        return new()
        {
            Out = Console.Out,
            Error = Console.Error,
            Style = TerminalStyle.OfStandardOutput(),
            IsErrorInteractive = !Console.IsErrorRedirected,
            ErrorWidth = TerminalStyle.ConsoleWidth,
            Root = named is null ? LabRoot.FindFrom(folder, arguments) : Path.GetFullPath(named),
            WorkingFolder = folder,
            Program = typed is { Length: > 0 } ? typed : Typed,
        };
    }

    /// <summary>A line about the way to the results, with the program's name as this person types it.</summary>
    public void Say(string line) => Error.WriteLine(InTheirWords(line));

    /// <summary>Texts name the program as it is started in its own checkout; a person elsewhere reads what works there.</summary>
    public string InTheirWords(string line) => line.Replace(Typed + " ", Program + " ");
}
