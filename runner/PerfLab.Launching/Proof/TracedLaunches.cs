using PerfLab.Core.Evidence;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Results;
using PerfLab.Profiling;

namespace PerfLab.Launching.Proof;

/// <summary>What came of one launch with tracing on. Nothing that it measured counts.</summary>
/// <param name="Judged">As a launch of the same plan without tracing would be judged.</param>
/// <param name="Facts">From all traces that it left.</param>
/// <param name="Readings">One for each trace; empty when there was none.</param>
public sealed record TracedLaunch(JudgedLaunch Judged, LaunchEnd End, RuntimeTraceFacts Facts, IReadOnlyList<TraceReading> Readings)
{
    /// <summary>The traces themselves: gone with the next launch.</summary>
    public IReadOnlyList<string> Traces { get; init; } = [];

    /// <summary>Why the figures may not be complete, one sentence each.</summary>
    public IReadOnlyList<string> Doubts => Readings.Count == 0
        ? ["the launch left no trace: its entry point may have removed the variables, or it runs no .NET"]
        : [.. Readings.Select(reading => reading.Doubt).OfType<string>()];
}

/// <summary>Launches an arm as planned, and traced.</summary>
public sealed class TracedLaunches(LaunchSpecs launches, ILauncher launcher)
{
    /// <summary>Traces beyond this many belong to no workload that we know of.</summary>
    private const int MostTraces = 64;
    internal const int LargestTrace = 256 << 20;

    /// <param name="providers">As DOTNET_EventPipeConfig wants them.</param>
    /// <param name="pad">Bytes of <see cref="EnvironmentPad"/>.</param>
    /// <param name="run">How much a benchmark of BenchmarkDotNet does; null for a pilot, and for what is none.</param>
    public async Task<TracedLaunch> LaunchAsync(
        PlannedCell cell, PlannedArm arm, string providers, CancellationToken cancellationToken,
        int pad = EnvironmentPad.OfProof, BenchmarkRun? run = null)
    {
        var nonce = LaunchEnvironment.NewNonce();
        var trace = new TraceVariables(ProofNeed.RuntimeMajor(arm), providers);
        var end = await launcher.LaunchAsync(launches.Of(cell, arm, nonce, pad, trace, run), cancellationToken);
        var (facts, readings) = ReadTraces(Path.GetDirectoryName(end.ResultFile)!);
        var proof = new ProofLaunchFacts(readings.Count == 0 ? null : facts, [], IsThisLaunch: true);
        return new(LaunchJudge.Judge(new(cell, arm, nonce, proof), end), end, facts, readings)
        {
            Traces = [.. Left(Path.GetDirectoryName(end.ResultFile)!)],
        };
    }

    private static (RuntimeTraceFacts Facts, IReadOnlyList<TraceReading> Readings) ReadTraces(string folder)
    {
        var traces = new RuntimeTrace();
        var readings = new List<TraceReading>();
        foreach (var path in Left(folder))
        {
            var (bytes, problem) = ResultFile.Read(new LeftFile(path, "a trace", LargestTrace));
            if (bytes is not null)
            {
                readings.Add(traces.Add(new MemoryStream(bytes, writable: false)));
            }
            else if (problem is not null)
            {
                readings.Add(new(problem));
            }
        }

        return (traces.Facts, readings);
    }

    /// <summary>The traces that a launch left beside its result.</summary>
    internal static IEnumerable<string> Left(string folder) => !Directory.Exists(folder) ? [] : Directory
        .EnumerateFiles(folder, "*.nettrace").Where(path => Path.GetFileName(path) != ProofVariables.SettingsFile)
        .Order(StringComparer.Ordinal).Take(MostTraces);
}
