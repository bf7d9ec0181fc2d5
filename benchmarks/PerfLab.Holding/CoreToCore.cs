using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Machine.Kernel;

namespace PerfLab.Holding;

/// <summary>
/// Does it decide a launch's figure how far apart its two cores are? A host may move the processors of a virtual machine about: onto the two
/// threads of one core, or onto cores far apart. Looked at ten times a second while a workload runs.
/// </summary>
internal static class CoreToCore
{
    /// <summary>Less between the shortest and the longest is one distance.</summary>
    private const double LeastRatio = 2;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    /// <summary>Where every workload measures: at its end.</summary>
    private static readonly TimeSpan Measured = TimeSpan.FromSeconds(1);

    public static async Task RunAsync(Subject subject, int launches, ulong seed)
    {
        if (CpuAffinity.OfThisThread() is not [var one, var other])
        {
            throw new InvalidOperationException("this program may not use exactly two cores; `taskset -c 0,1 benchmarks/core-to-core` names two");
        }

        using var hand = new ByHand();
        var random = SeededRandom.For(seed, "core to core " + subject.Cell.Workload);
        List<(double Rate, IReadOnlyList<double> Last)> measured = [];
        List<double> looks = [];
        var missed = 0;
        for (var launch = 0; launch < launches; launch++)
        {
            var (rate, all) = await WatchedAsync(subject, hand, random.Next(EnvironmentPad.Most + 1), one, other);
            looks.AddRange(all.OfType<double>());
            missed += all.Count(look => look is null);
            measured.Add((rate, [.. all.TakeLast((int)(Measured / Pause)).OfType<double>()]));
        }

        var sorted = looks.Order().ToList();
        Console.WriteLine($"{looks.Count} looks, {missed} more without an answer: a round trip of {sorted[looks.Count / 20]:0} ns in the 5th percentile, "
            + $"{Median.Of(looks):0} ns in the median, {sorted[looks.Count * 19 / 20]:0} ns in the 95th.");
        if (sorted[looks.Count * 19 / 20] < LeastRatio * sorted[looks.Count / 20])
        {
            Console.WriteLine("That is one distance: nothing moved the cores.");
            return;
        }

        var middle = Math.Sqrt(sorted[looks.Count / 20] * sorted[looks.Count * 19 / 20]);
        var changes = looks.Zip(looks.Skip(1), (before, after) => before < middle != after < middle).Count(changed => changed);
        Console.WriteLine($"Two distances, near and far, told apart at {middle:0} ns: "
            + $"{looks.Count(look => look < middle) * 100.0 / looks.Count:0} % near, {changes} changes from one look to the next.\n");
        Console.WriteLine("| in the launch's last second | launches | median, k units/s | lowest | highest |\n|---|--:|--:|--:|--:|");
        Row("near at every look", share => share == 1);
        Row("near at some", share => share is > 0 and < 1);
        Row("far at every look", share => share == 0);
        if (measured.Count(launch => launch.Last.Count == 0) is > 0 and var unseen)
        {
            Console.WriteLine($"| no look with an answer | {unseen} |  |  |  |");
        }

        void Row(string name, Func<double, bool> belongs)
        {
            var rates = measured.Where(launch => launch.Last.Count > 0 && belongs(launch.Last.Count(look => look < middle) / (double)launch.Last.Count))
                .Select(launch => launch.Rate / 1e3).Order().ToList();
            Console.WriteLine(rates is []
                ? $"| {name} | 0 |  |  |  |"
                : FormattableString.Invariant($"| {name} | {rates.Count} | {Median.Of(rates):0.0} | {rates[0]:0.0} | {rates[^1]:0.0} |"));
        }
    }

    private static async Task<(double Rate, List<double?> Looks)> WatchedAsync(Subject subject, ByHand hand, int pad, int one, int other)
    {
        List<double?> looks = [];
        var launch = subject.CostAsync(hand.LaunchAsync, subject.Arm, pad);
        while (!launch.IsCompleted)
        {
            looks.Add(CacheLine.Look(one, other));
            await Task.WhenAny(launch, Task.Delay(Pause));
        }

        return (1 / await launch, looks);
    }
}
