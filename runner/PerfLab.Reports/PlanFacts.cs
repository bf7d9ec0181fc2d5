namespace PerfLab.Reports;

/// <summary>What a line that measures a row again repeats of its plan.</summary>
/// <param name="SameIl">Whether every arm was compiled for the lowest target framework.</param>
public sealed record PlanFacts(ulong? Seed, bool SameIl = false)
{
    /// <summary>Folders of packages that the cell's arms were built with; empty also when nobody said: a journal does not know
    /// them.</summary>
    public IReadOnlyList<string> Feeds { get; init; } = [];

    /// <summary>The workload's folder as the command line takes it, with a slash. Null when its name finds it, and when nobody said: a
    /// journal does not know it.</summary>
    public string? Folder { get; init; }

    /// <summary>What launched the programs, as `--executor` takes it; any other word of a journal is not repeated.</summary>
    public string? Executor { get; init; }

    /// <summary>How strict the session was about its machine, as `--policy` takes it; any other word of a journal is not
    /// repeated.</summary>
    public string? MachinePolicy { get; init; }

    /// <summary>The least warm-up in seconds, as `--warm-up` takes it; null: the workload's own, or nobody said.</summary>
    public double? WarmUpSeconds { get; init; }

    /// <summary>`--sdk current`: every arm was built with the newest SDK that was there.</summary>
    public bool CurrentSdk { get; init; }

    /// <summary>`--benchmarks head`: head's benchmarks measured the library of every arm.</summary>
    public bool BenchmarksOfHead { get; init; }

    /// <summary>`--benchmarks snippet.cs`: benchmarks in C# stood in place of the project's own.</summary>
    public bool IsSnippet { get; init; }

    /// <summary>How the reader starts perf-lab: "./perf-lab", or what another repository needs before and in place of it.</summary>
    public string Program { get; init; } = "./perf-lab";

    /// <summary>Whether the reader sits at another machine.</summary>
    public bool IsElsewhere { get; init; }

    /// <summary>
    /// For a reader at another machine: no path of this one, and nothing that is so anyway. The seed goes, too: it settles the order of the
    /// launches, and another order is as good a measurement.
    /// </summary>
    public PlanFacts Elsewhere => this with
    {
        IsElsewhere = true,
        Seed = null,
        Feeds = [.. Feeds.Select(feed => Path.IsPathRooted(feed) ? "FOLDER" : feed).Distinct(StringComparer.Ordinal)],
        Folder = Folder is { } folder && Path.IsPathRooted(folder) ? $"./{Path.GetFileName(folder.TrimEnd('/'))}" : Folder,
        Program = Program.Split([' ', '=', '\'', '"']).Any(Path.IsPathRooted) ? "perf-lab" : Program,
    };
}
