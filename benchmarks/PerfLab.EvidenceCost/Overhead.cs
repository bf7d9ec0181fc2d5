using System.Text.Json;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Launching.Processes;
using PerfLab.Launching.Proof;
using static System.FormattableString;

namespace PerfLab.EvidenceCost;

/// <summary>
/// Launches with the variables and files that prove them, and launches that are traced as `explain` does it, beside the same without
/// them, in rounds of random order; and without beside without, which says how large a difference nothing makes here.
/// </summary>
internal sealed record Overhead(string Workload, string Program, string Metric)
{
    public static Overhead Threads { get; } = new("channel-actors", "ChannelActors", "throughput");

    public static Overhead OneThread { get; } = new("calibrated-spin", "CalibratedSpin", "time");

    private static readonly TraceVariables Trace = new(Major: null, TraceVariables.Profile);

    private static readonly Arm Without = new("", [JitSummary("0")], []);

    private static readonly Arm[] Others =
    [
        Without with { Compared = "without / without (A/A)" },
        new("with evidence / without", [JitSummary("1")], [new("DOTNET_JitStdOutFile", "jit.txt"), new("PERF_LAB_SETTINGS", "settings.nettrace")]),
        new("traced for `explain` / without", [JitSummary("0"), .. Trace.Values], [Trace.File]),
    ];

    /// <param name="Compared">As the table calls it.</param>
    private sealed record Arm(string Compared, IReadOnlyList<KeyValuePair<string, string>> Variables, KeyValuePair<string, string>[] Files);

    public async Task RunAsync(string patch, int rounds, ulong seed)
    {
        var build = await Bench.BuildAsync(Workload, Program + ".csproj", patch);
        await using var launcher = ProcessLauncher.Create();
        await launcher.PrepareAsync([build], CancellationToken.None);
        Console.WriteLine($"{Workload} on .NET {patch}, process executor, {rounds} rounds, seed {seed}. {Bench.Where}");
        Console.WriteLine($"`dotnet run -c Release --project benchmarks/PerfLab.EvidenceCost -- overhead {Workload} {patch} {rounds} {seed}`\n");
        Console.WriteLine($"| compared | {Metric}, change | 95 % interval | noise of a pair | wall time of a launch, change |\n|---|--:|--:|--:|--:|");
        Arm[] arms = [Without, .. Others];
        var random = SeededRandom.For(seed, "overhead");
        var taken = arms.ToDictionary(arm => arm, _ => new List<(double Value, double Wall)>());
        for (var round = 0; round < rounds; round++)
        {
            // As in the product: what the length of the environment does is noise between rounds, and no arm's.
            var pad = new string('x', random.Next(EnvironmentPad.Most + 1));
            foreach (var arm in random.Shuffle(arms))
            {
                taken[arm].Add(await LaunchAsync(launcher, build, arm, pad));
            }
        }

        foreach (var arm in Others)
        {
            Console.WriteLine(Row(arm.Compared, taken[arm], taken[Without]));
        }
    }

    private async Task<(double Value, double Wall)> LaunchAsync(ProcessLauncher launcher, Build build, Arm arm, string pad)
    {
        var end = await launcher.LaunchAsync(
            Bench.Spec(build, "./" + Program,
                [.. arm.Variables, new("PERF_LAB_WARM_UP", "0.6"), new("PERF_LAB_MEASURE", "1"), new(EnvironmentPad.Variable, pad)], arm.Files),
            CancellationToken.None);
        using var result = JsonDocument.Parse(await File.ReadAllBytesAsync(end.ResultFile));
        return (result.RootElement.GetProperty("metrics").GetProperty(Metric).GetProperty("value").GetDouble(), end.WallSeconds);
    }

    private static KeyValuePair<string, string> JitSummary(string value) => new("DOTNET_JitDisasmSummary", value);

    private static string Row(string name, List<(double Value, double Wall)> arm, List<(double Value, double Wall)> reference)
    {
        double[] values = [.. arm.Zip(reference, (one, other) => Math.Log(one.Value / other.Value))];
        double[] walls = [.. arm.Zip(reference, (one, other) => Math.Log(one.Wall / other.Wall))];
        var walsh = new WalshAverages(values);
        var interval = walsh.Interval(0.95);
        return Invariant($"| {name} | {Percent(walsh.Centre)} | {(interval is { } known ? $"{Percent(known.Low)} to {Percent(known.High)}" : "-")} | {100 * Noise.Of(values) ?? double.NaN:0.0} % | {Percent(new WalshAverages(walls).Centre)} |");
    }

    private static string Percent(double log) => Invariant($"{100 * (Math.Exp(log) - 1):+0.0;-0.0;0.0} %");
}
