using System.Diagnostics;
using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Launching.Processes;
using PerfLab.Launching.Proof;
using static System.FormattableString;

namespace PerfLab.EvidenceCost;

/// <summary>Everything that the runner does about evidence after a launch: open two files as hostile, read them, judge, make the journal's record.</summary>
internal static class ParseCost
{
    private const int Batch = 20, Batches = 15;

    public static async Task RunAsync()
    {
        var build = await Bench.BuildAsync("channel-actors", "ChannelActors.csproj", "10.0.14");
        await using var launcher = ProcessLauncher.Create();
        await launcher.PrepareAsync([build], CancellationToken.None);
        KeyValuePair<string, string>[] files = [new("DOTNET_JitStdOutFile", "jit.txt"), new("PERF_LAB_SETTINGS", "settings.nettrace")];
        var end = await launcher.LaunchAsync(
            Bench.Spec(build, "./ChannelActors", [new("DOTNET_JitDisasmSummary", "1"), new("PERF_LAB_WARM_UP", "0.6"), new("PERF_LAB_MEASURE", "1")], files), CancellationToken.None);
        var reported = JsonNode.Parse(await File.ReadAllBytesAsync(end.ResultFile))!["evidence"]!.AsObject();
        var arm = Arm(build.Identity);
        var times = new List<double>();
        for (var batch = 0; batch < Batches; batch++)
        {
            var clock = Stopwatch.StartNew();
            for (var time = 0; time < Batch; time++)
            {
                var verdict = EvidenceCheck.Of(arm, reported, end, null);
                if (verdict.Disagreement is not null)
                {
                    throw new InvalidOperationException(verdict.Disagreement);
                }
            }

            times.Add(clock.Elapsed.TotalMilliseconds / Batch);
        }

        var folder = Path.GetDirectoryName(end.ResultFile)!;
        var milliseconds = Bench.Quantile(times, 0.5);
        Console.WriteLine($"Evidence of one launch of channel-actors on .NET 10.0.14. {Bench.Where}");
        Console.WriteLine("`dotnet run -c Release --project benchmarks/PerfLab.EvidenceCost -- parse`\n");
        Console.WriteLine(Invariant($"Files: JIT summary {new FileInfo(Path.Combine(folder, "jit.txt")).Length} bytes, rundown {new FileInfo(Path.Combine(folder, "settings.nettrace")).Length} bytes."));
        Console.WriteLine(Invariant($"Reading and judging: median {milliseconds:0.00} ms, quartiles {Bench.Quantile(times, 0.25):0.00} to {Bench.Quantile(times, 0.75):0.00}, first {times[0]:0.00} ({Batches} batches of {Batch});"));
        Console.WriteLine(Invariant($"that is {100 * milliseconds / (1000 * end.WallSeconds):0.000} % of the launch's {end.WallSeconds:0.00} s, and it happens between launches."));
    }

    private static PlannedArm Arm(string identity)
    {
        var knobs = KnobSetting.Settle("net10.0", 2, new Dictionary<string, string>(StringComparer.Ordinal)).Values;
        return new()
        {
            Id = "head",
            Dimensions = new Dictionary<string, string>(StringComparer.Ordinal),
            Recipe = new() { Workload = identity, Folder = "", Kind = BuildKind.Dotnet, RuntimePatch = "10.0.14" },
            Command = [],
            Environment = KnobSetting.Environment(knobs, alsoComPlus: false),
        };
    }
}
