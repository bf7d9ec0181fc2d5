using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Launching;
using PerfLab.Launching.Docker;
using PerfLab.Launching.Docker.Engine;
using PerfLab.Launching.Processes;

namespace PerfLab.Holding;

/// <summary>One build, started by hand and by every executor, interleaved, all of a round with the same padding.</summary>
internal static class SameProgram
{
    public static async Task RunAsync(Subject subject, int rounds, ulong seed)
    {
        await using var plain = ProcessLauncher.Create(new() { Sandbox = false });
        await using var boxed = ProcessLauncher.Create();
        var isBoxed = (string?)(await boxed.DescribeAsync(CancellationToken.None))["sandbox"] == "bubblewrap";
        using var hand = new ByHand();
        var ways = new List<(string Name, Func<LaunchSpec, Task<LaunchEnd>> Launch)>
        {
            ("by hand", hand.LaunchAsync),
            ("process, without bubblewrap", spec => plain.LaunchAsync(spec, CancellationToken.None)),
            (isBoxed ? "process, with bubblewrap" : "process (bubblewrap can't be had here)",
                spec => boxed.LaunchAsync(spec, CancellationToken.None)),
        };
        await using var docker = await DockerAsync(subject);
        if (docker is not null)
        {
            ways.Add(("docker", spec => docker.LaunchAsync(spec, CancellationToken.None)));
        }

        var costs = await MeasureAsync(subject, ways, rounds, seed);
        for (var way = 0; way < ways.Count; way++)
        {
            var against = new Differences([.. costs[way].Zip(costs[0], (cost, byHand) => Math.Log(cost / byHand))]);
            var ratio = Median.Of(costs[way]) / Median.Of(costs[0]);
            var figures = way == 0 ? " | " : FormattableString.Invariant($"{against.Change} % | {against.Noise * 100:0.0} %");
            Console.WriteLine(FormattableString.Invariant($"| {subject.Cell.Workload} | {ways[way].Name} | {ratio:0.000} | {figures} |"));
        }
    }

    private static async Task<double[][]> MeasureAsync(
        Subject subject, List<(string Name, Func<LaunchSpec, Task<LaunchEnd>> Launch)> ways, int rounds, ulong seed)
    {
        var random = SeededRandom.For(seed, "same-program " + subject.Cell.Workload);
        var costs = ways.Select(_ => new double[rounds]).ToArray();
        for (var round = 0; round < rounds; round++)
        {
            var pad = random.Next(EnvironmentPad.Most + 1);
            foreach (var way in random.Shuffle(Enumerable.Range(0, ways.Count)))
            {
                costs[way][round] = await subject.CostAsync(ways[way].Launch, subject.Arm, pad);
            }
        }

        return costs;
    }

    private static async Task<DockerLauncher?> DockerAsync(Subject subject)
    {
        if (await EngineProbe.AskAsync(CancellationToken.None) is { Usable: false } engine)
        {
            Console.Error.WriteLine($"same-program: docker is left out, {engine.Says}");
            return null;
        }

        var launcher = new DockerLauncher(new DockerSettings { StoreFolder = Path.GetFullPath(".perf-lab") });
        await launcher.PrepareAsync([.. subject.Builds.Builds], CancellationToken.None);
        return launcher;
    }
}
