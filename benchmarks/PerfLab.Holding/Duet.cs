using System.Diagnostics;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Launching.Processes;

namespace PerfLab.Holding;

/// <summary>
/// Both arms at once, each on a core of its own, cores exchanged by lot from round to round; beside both arms one after the other as
/// the product does it. Rounds of both kinds alternate, so an hour that is good or bad is so for both. (Bulej and others, "Duet
/// benchmarking", ICPE 2020.) What is compared is each launch's own measured part; both are told to warm up and measure equally long,
/// and start within a few milliseconds.
/// </summary>
internal static class Duet
{
    private const int MostRounds = 2000;

    private static readonly string[] Cores = ["0", "1"];

    public static async Task RunAsync(string name, Subject subject, int rounds, int runs, ulong seed)
    {
        await using var one = ProcessLauncher.Create();
        await using var other = ProcessLauncher.Create();
        var kinds = new Kind[] { new("one after the other"), new("duet") };
        for (var run = 0; run < runs; run++)
        {
            var random = SeededRandom.For(seed, FormattableString.Invariant($"duet {name} {run}"));
            for (var round = 0; round < rounds; round++)
            {
                var (pad, first, isDuetFirst) = (random.Next(EnvironmentPad.Most + 1), random.Next(2), random.Next(2) == 0);
                foreach (var kind in isDuetFirst ? kinds.Reverse() : kinds)
                {
                    var clock = Stopwatch.StartNew();
                    var (reference, arm) = kind == kinds[1] ? await AtOnceAsync(subject, (one, other), pad, first)
                        : await subject.InTurnAsync(spec => one.LaunchAsync(spec, CancellationToken.None), pad, first);
                    kind.Add(Math.Log(arm / reference), clock.Elapsed.TotalSeconds);
                }
            }

            foreach (var kind in kinds)
            {
                // Base against base is worth a look at what it was that made two builds differ.
                if (kind.EndRun() is var differences && IsFlagged(differences))
                {
                    await Console.Error.WriteLineAsync(
                        FormattableString.Invariant($"{name}, {kind.Name}, run {run + 1}: {differences.Change} %, p {differences.P:0.0000}, ")
                        + $"rounds {string.Join(' ', differences.Logs.Select(Differences.Percent))} %");
                }
            }
        }

        foreach (var kind in kinds)
        {
            Console.WriteLine(kind.Row(name));
        }
    }

    private static async Task<(double Reference, double Arm)> AtOnceAsync(
        Subject subject, (ProcessLauncher One, ProcessLauncher Other) launchers, int pad, int first)
    {
        var reference = subject.CostAsync(
            spec => launchers.One.LaunchAsync(spec, CancellationToken.None), subject.Reference, pad, Cores[first]);
        var arm = subject.CostAsync(
            spec => launchers.Other.LaunchAsync(spec, CancellationToken.None), subject.Arm, pad, Cores[1 - first]);
        return (await reference, await arm);
    }

    /// <summary>As the product flags a row that is alone in its report: family error 1 %, margin 1 %.</summary>
    private static bool IsFlagged(Differences run) => run.P <= 0.01 && Math.Abs(run.Centre) >= Math.Log(1.01);

    /// <summary>What one way of pairing came to, over all runs.</summary>
    private sealed class Kind(string name)
    {
        private readonly List<Differences> _runs = [];
        private readonly List<double> _logs = [];
        private double _seconds;

        public string Name => name;

        public void Add(double log, double seconds)
        {
            _logs.Add(log);
            _seconds += seconds;
        }

        /// <summary>The rounds since the run before.</summary>
        public Differences EndRun()
        {
            _runs.Add(new([.. _logs]));
            _logs.Clear();
            return _runs[^1];
        }

        public string Row(string subject)
        {
            var noise = Median.Of(_runs.Select(run => run.Noise));
            var flagged = _runs.Count(IsFlagged);
            var roundSeconds = _seconds / _runs.Sum(run => run.Logs.Length);
            var change = Differences.Percent(Median.Of(_runs.Select(run => run.Centre)));
            return FormattableString.Invariant($"| {subject} | {name} | {change} % | {noise * 100:0.0} % | {flagged} of {_runs.Count} | ")
                + FormattableString.Invariant($"{roundSeconds:0.0} s | {Minutes(0.02)} | {Minutes(0.05)} |");

            string Minutes(double seen) => SmallestDetectable.Rounds(seen, noise, 1, MostRounds, new() { ScreenRounds = 0 }) is { } needed
                ? FormattableString.Invariant($"{needed * roundSeconds / 60:0.0} ({needed} {(needed == 1 ? "round" : "rounds")})") : "more than 2,000 rounds";
        }
    }
}
