using System.Globalization;
using System.Text;
using PerfLab.Core.Trends;
using static System.FormattableString;

namespace PerfLab.Calibration.Years;

/// <summary>How a made-up year went, for people.</summary>
public static class YearText
{
    public static string Of(YearResult year)
    {
        var (code, host) = (year.Outcomes.Where(one => one.Known.Machine is null).ToList(),
            year.Outcomes.Where(one => one.Known.Machine is not null).ToList());
        var text = new StringBuilder();
        text.Append(Invariant(
            $"A made-up year, seed {year.Settings.Seed}: {year.Settings.Series} series on "))
            .Append(Invariant($"{year.Settings.Machines} machines, {year.Settings.Sessions} weekly sessions "))
            .Append(Invariant($"after {year.Settings.Before} without a look.\n\n"));
        text.Append("| week | what was put in | series | found |\n|---|---|---|---|\n");
        foreach (var one in year.Outcomes.OrderBy(one => one.Known.Session))
        {
            var touched = one.Known.Machine is null ? Invariant($"{one.Known.Series.Count}") : "all of it";
            text.Append(Invariant($"| {one.Known.Session - year.Settings.Before} | {What(one.Known)} | {touched} | {Found(one)} |\n"));
        }

        text.Append('\n').Append(
            Invariant($"Commits: {code.Count(one => one.FoundAfter is not null)} of {code.Count} confirmed, "))
            .Append(CultureInfo.InvariantCulture, $"median delay {Median(code)} sessions. ");
        text.Append(Invariant(
            $"Of {code.Count(one => one.Known.TakesBack is not null)} fixes, "))
            .Append(Invariant($"{code.Count(one => one.CalledRecovered)} closed the change that they take back.\n"));
        text.Append(Invariant(
            $"Steps of a machine: {host.Count(one => one.FoundAfter is not null)} of {host.Count} "))
            .Append(Invariant($"called the machine's; {year.FiledHostSteps} filed as an issue.\n"));
        text.Append(Invariant(
            $"False issues: {year.FalseIssues}. Experiments: {year.Experiments}, of which {year.Wasted} found nothing.\n"));
        return text.ToString();
    }

    /// <summary>Of the delays of what was found; "none" when nothing was.</summary>
    private static string Median(List<KnownOutcome> outcomes)
    {
        double[] delays = [.. outcomes.Select(one => one.FoundAfter).OfType<int>().Select(delay => (double)delay)];
        return delays.Length == 0 ? "none" : Invariant($"{PerfLab.Core.Statistics.Exact.Median.Of(delays):0.#}");
    }

    private static string What(KnownChange known)
    {
        var size = TrendText.Words(Math.Exp(known.Size) - 1);
        return known.Machine is { } machine ? Invariant($"machine-{machine} becomes {size}") : known.TakesBack is null
            ? $"a commit makes it {size}" : $"a fix makes it {size}";
    }

    private static string Found(KnownOutcome one)
    {
        var word = one.Known.Machine is null ? "confirmed" : "called the machine's";
        return one.FoundAfter is { } delay
            ? Invariant($"{word} after {delay} sessions{(one.CalledRecovered ? ", which closed the change" : "")}") : "no";
    }
}
