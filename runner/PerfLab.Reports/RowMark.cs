using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Reports.Text;

namespace PerfLab.Reports;

/// <summary>What a narrow table says of a row: a sign for who only looks, and the same in words of ours and numbers.</summary>
internal static class RowMark
{
    /// <summary>What regressed, and what allocates more or differs. `/benchmark accept` finds its rows by them (.github/perf-lab/src/gate/acknowledge.ts).</summary>
    private const string Slower = "🔴", Worth = "🟠";
    private const string Faster = "🟢", Quiet = "⚪", Nothing = "➖";

    public static string Of(ReportRow row) => row.Figures.Verdict switch
    {
        Verdict.Regressed => Slower,
        Verdict.Improved => Faster,
        Verdict.Failed => "❌",
        _ when BytesOf(row) > 0 => Worth,
        _ when BytesOf(row) < 0 => Faster,
        Verdict.TooNoisy => "⚠️",
        Verdict.NotSteady => "⏳",
        Verdict.DoesNotHold => "❔",
        Verdict.Unavailable => "🚫",
        Verdict.Untouched or Verdict.IdenticalBuild => Nothing,
        null when row.Figures.Equal == false => Worth,
        null when row.Figures.Equal is null => Nothing,
        _ => Quiet,
    };

    /// <summary>"no change found", "too noisy to say": the verdict without its size.</summary>
    public static string Word(ReportRow row) => row.Figures.Verdict switch
    {
        Verdict.Regressed => "regressed",
        Verdict.Improved => "improved",
        Verdict.Unchanged => "no change",
        Verdict.Undecided => DirectionWords.IsOf(row.Figures) ? DirectionWords.Of(row.Figures) : "no change found",
        Verdict.TooNoisy => "too noisy to say",
        Verdict.NotSteady => "not steady",
        Verdict.DoesNotHold => "did not hold",
        Verdict.Failed => "failed",
        Verdict.Unavailable => "unavailable here",
        Verdict.IdenticalBuild => "identical build",
        Verdict.Untouched => "not measured",
        _ => row.Figures.Equal switch
        {
            true => row.Figures.Varies is null ? "equal" : "equal, varies a little",
            false when row.Figures.Rounds < Allocations.LeastRounds =>
                Invariant($"differs, in {row.Figures.Rounds} of the {Allocations.LeastRounds} rounds that it takes"),
            false => "differs",
            null => row.Figures.Reference is null ? "nothing to compare with" : "no verdict",
        },
    };

    /// <summary>A line each, the most important first.</summary>
    public static IEnumerable<string> Lines(ReportRow row)
    {
        var figures = row.Figures;
        yield return row is { HasMoved: true, InWords: { } size } ? $"**{size}**" : Word(row);
        if (Between(row) is { } between)
        {
            yield return between;
        }

        if (figures is { Verdict: Verdict.NotSteady, WarmUpSeconds: { } seconds })
        {
            yield return Invariant($"try --warm-up {seconds:0}");
        }

        foreach (var failure in row.Failures.Take(1))
        {
            yield return failure.What;
        }

        if (BytesOf(row) != 0)
        {
            yield return BytesOf(row) > 0 ? "allocates more" : "allocates less";
        }

        if (row.Says(ClientBound.Label))
        {
            yield return ClientBound.Label;
        }

        if (figures.Accepted is not null)
        {
            yield return "accepted";
        }
    }

    /// <summary>
    /// Where the change lies: from the least to the largest of its sessions where it was measured again, because a pooled interval of two
    /// sessions that differ is wider than anything that was seen; else its interval.
    /// </summary>
    private static string? Between(ReportRow row)
    {
        var figures = row.Figures;
        if (figures.Sessions is { } sessions)
        {
            double[] seen = [.. sessions.Select(session => session.Change).OfType<double>()];
            var agree = Invariant($"in {sessions.Count(session => session.Agrees)} of {sessions.Count} sessions");
            return seen.Length == 0 ? agree : $"{Percent.Range(row.HasMoved ? figures.Change : null, seen.Min(), seen.Max())} {agree}";
        }

        var isTold = row.HasMoved || figures.Verdict is Verdict.Unchanged or Verdict.Undecided or Verdict.TooNoisy;
        return isTold && figures is { Low: { } low, High: { } high }
            ? Percent.Range(row.HasMoved ? figures.Change : null, low, high) : null;
    }

    private static double BytesOf(ReportRow row) => row.Bytes is { } bytes ? Allocations.Moved(bytes) : 0;
}
