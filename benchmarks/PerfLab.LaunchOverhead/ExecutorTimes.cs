using System.Diagnostics;
using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Launching;
using PerfLab.Launching.Docker;
using PerfLab.Kubernetes;
using PerfLab.Launching.Processes;

namespace PerfLab.LaunchOverhead;

/// <summary>The same program, which ends at once, launched by every executor in turn; the order is random in each round.</summary>
internal static class ExecutorTimes
{
    /// <returns>A table in Markdown.</returns>
    public static async Task<string> RunAsync(ClusterSettings cluster, Build build, int rounds, ulong seed)
    {
        var store = Path.GetFullPath(".perf-lab");
        ILauncher[] launchers = [new DockerLauncher(new DockerSettings { StoreFolder = store }), ProcessLauncher.Create(), new KubernetesLauncher(cluster, store)];
        try
        {
            foreach (var launcher in launchers)
            {
                await launcher.PrepareAsync([build], CancellationToken.None);
                await TimeAsync(launcher, build); // the JIT, the page cache, the node that is chosen
            }

            var random = SeededRandom.For(seed, "executors");
            var times = launchers.Select(_ => new double[rounds]).ToArray();
            for (var round = 0; round < rounds; round++)
            {
                foreach (var index in Enumerable.Range(0, launchers.Length).OrderBy(_ => random.Next(1 << 20)).ToList())
                {
                    times[index][round] = await TimeAsync(launchers[index], build);
                }
            }

            return string.Join('\n', launchers.Select((launcher, index) => Row(launcher.Executor, times[index], times[0])));
        }
        finally
        {
            foreach (var launcher in launchers)
            {
                await launcher.DisposeAsync();
            }
        }
    }

    private static string Row(string name, double[] times, double[] docker)
    {
        var ratios = times.Zip(docker, (time, base0) => time / base0).ToArray();
        return FormattableString.Invariant(
            $"| {name} | {Quantile(times, 0.5):0} | {Quantile(times, 0.25):0} to {Quantile(times, 0.75):0} | {Quantile(ratios, 0.5):0.00} | {Quantile(ratios, 0.25):0.00} to {Quantile(ratios, 0.75):0.00} |");
    }

    private static async Task<double> TimeAsync(ILauncher launcher, Build build)
    {
        var clock = Stopwatch.StartNew();
        var end = await launcher.LaunchAsync(
            new LaunchSpec
            {
                Session = "launch-overhead",
                Build = build,
                Command = ["true"],
                Environment = [new("PATH", "/usr/bin:/bin"), new("HOME", "/tmp"), new("LANG", "C.UTF-8")],
                Resources = new Resources(Cpus: 1, MemoryBytes: 256 << 20, Pids: 64),
                Timeout = TimeSpan.FromMinutes(1),
            },
            CancellationToken.None);
        return end is { How: EndKind.Exited, ExitCode: 0 }
            ? clock.Elapsed.TotalMilliseconds
            : throw new InvalidOperationException($"{launcher.Executor}: the launch ended with {end.How} {end.ExitCode}: {end.Reason} {end.Tail}");
    }

    private static double Quantile(double[] values, double share) => Comparison.Quantile(values, share);
}
