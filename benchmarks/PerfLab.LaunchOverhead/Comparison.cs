using System.Diagnostics;
using PerfLab.Core.Model;
using PerfLab.Launching;
using PerfLab.Launching.Docker;

namespace PerfLab.LaunchOverhead;

/// <summary>Times the executor and the docker command in pairs, in random order within each pair.</summary>
internal sealed class Comparison(DockerLauncher launcher, LaunchSpec spec, string image, ulong seed)
{
    /// <returns>One row of the table.</returns>
    public async Task<string> RunAsync(string name, Func<LaunchSpec, string, IEnumerable<string>> arguments, int pairs)
    {
        var random = SeededRandom.For(seed, name);
        var ours = new double[pairs];
        var theirs = new double[pairs];
        await LaunchAsync(); // both once before: the JIT, the page cache
        await DockerRun.TimeAsync(arguments(spec, image));
        for (var pair = 0; pair < pairs; pair++)
        {
            if (random.Next(2) == 0)
            {
                ours[pair] = await LaunchAsync();
                theirs[pair] = await DockerRun.TimeAsync(arguments(spec, image));
            }
            else
            {
                theirs[pair] = await DockerRun.TimeAsync(arguments(spec, image));
                ours[pair] = await LaunchAsync();
            }
        }

        var ratios = ours.Zip(theirs, (our, their) => our / their).ToArray();
        return FormattableString.Invariant(
            $"| {name} | {Quantile(ours, 0.5):0} | {Quantile(theirs, 0.5):0} | {Quantile(ratios, 0.5):0.00} | {Quantile(ratios, 0.25):0.00} to {Quantile(ratios, 0.75):0.00} |");
    }

    private async Task<double> LaunchAsync()
    {
        var clock = Stopwatch.StartNew();
        var end = await launcher.LaunchAsync(spec, CancellationToken.None);
        return end is { How: EndKind.Exited, ExitCode: 0 }
            ? clock.Elapsed.TotalMilliseconds
            : throw new InvalidOperationException($"The launch ended with {end.How} {end.ExitCode}: {end.Reason} {end.Tail}");
    }

    internal static double Quantile(double[] values, double share)
    {
        var sorted = values.Order().ToArray();
        var place = share * (sorted.Length - 1);
        var below = (int)place;
        var above = Math.Min(below + 1, sorted.Length - 1);
        return sorted[below] + ((place - below) * (sorted[above] - sorted[below]));
    }
}
