using System.Globalization;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Launching.Processes;

namespace PerfLab.Holding;

/// <summary>With the draw off: the medians of both arms at nine fixed lengths, everything interleaved.</summary>
internal static class LengthTable
{
    private static readonly int[] Lengths = [0, 16, 32, 48, 64, 96, 128, 256, 1024];

    public static async Task RunAsync(Subject subject, int launches, ulong seed)
    {
        await using var launcher = ProcessLauncher.Create();
        var random = SeededRandom.For(seed, "table " + subject.Cell.Workload);
        var costs = Lengths.ToDictionary(length => length, _ => (Reference: new List<double>(), Arm: new List<double>()));
        for (var launch = 0; launch < launches; launch++)
        {
            foreach (var (length, isArm) in random.Shuffle(Lengths.SelectMany(length => new[] { (length, false), (length, true) })))
            {
                var cost = await subject.CostAsync(
                    spec => launcher.LaunchAsync(spec, CancellationToken.None), isArm ? subject.Arm : subject.Reference, length);
                (isArm ? costs[length].Arm : costs[length].Reference).Add(cost);
            }
        }

        Console.WriteLine($"| bytes | {string.Join(" | ", Lengths)} |");
        Console.WriteLine($"|---|{string.Concat(Lengths.Select(_ => "---|"))}");
        Row(subject.Reference.Id, length => 1 / Median.Of(costs[length].Reference));
        Row(subject.Arm.Id, length => 1 / Median.Of(costs[length].Arm));
        Row($"{subject.Arm.Id} / {subject.Reference.Id}", length => Median.Of(costs[length].Reference) / Median.Of(costs[length].Arm));

        void Row(string name, Func<int, double> value) => Console.WriteLine(
            $"| {name} | {string.Join(" | ", Lengths.Select(length => value(length).ToString("G3", CultureInfo.InvariantCulture)))} |");
    }
}
