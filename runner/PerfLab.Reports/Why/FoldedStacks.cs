using PerfLab.Core.Model;
using PerfLab.Core.Profiles;

namespace PerfLab.Reports.Why;

/// <summary>
/// Stacks as flamegraph.pl, speedscope and others read them: "outer;inner weight", one stack a line. The mean of an arm's launches, in
/// billionths
/// of the kind's unit.
/// </summary>
public static class FoldedStacks
{
    private const double Unit = 1e-9;

    public static string Of(IReadOnlyList<IReadOnlyList<StackWeight>> launches)
    {
        var sums = new SortedDictionary<string, double>(StringComparer.Ordinal);
        foreach (var (frames, weight) in launches.SelectMany(launch => launch))
        {
            var line = string.Join(';', frames.Select(frame => UntrustedText.Line(frame, UntrustedText.MaxChars).Replace(';', ':')));
            sums[line] = sums.GetValueOrDefault(line) + (weight / launches.Count);
        }

        var text = new StringBuilder();
        foreach (var (line, weight) in sums.Where(sum => sum.Key.Length > 0))
        {
            text.Append(CultureInfo.InvariantCulture, $"{line} {Math.Min(1e18, Math.Round(weight / Unit)):0}\n");
        }

        return text.ToString();
    }
}
