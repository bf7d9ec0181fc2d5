using PerfLab.Core.Model;
using PerfLab.Reports.Text;

namespace PerfLab.Reports;

/// <summary>Where a row stands since the anchor, and what is left of the budget.</summary>
/// <param name="Names">The cell, and its arm where there are several. Untrusted.</param>
/// <param name="Text">One sentence, with the name of an anchor: untrusted.</param>
public sealed record BudgetLine(IReadOnlyList<string> Names, string Text)
{
    /// <summary>Over such rows.</summary>
    public const string Title = "The budget since the anchor";

    internal string Markdown =>
        "- " + string.Concat(Names.Select(name => $"{UntrustedText.Code(name)}: "))
            + UntrustedText.Code(Text, UntrustedText.MaxNameChars * 2);

    public string Plain => string.Join(": ", [.. Names.Count > 0 ? [string.Join(", ", Names)] : Array.Empty<string>(), Text]);

    /// <summary>Rows that have spent less are counted, not listed: a report of 200 rows would hold nothing else.</summary>
    private const double Worth = 0.5;

    /// <summary>Those that overspend first, then the dearest; empty where no row has a history to be held against.</summary>
    internal static IReadOnlyList<BudgetLine> Of(Report report)
    {
        var known = report.Rows.Where(row => row.Figures.Budget is not null)
            .OrderByDescending(row => row.Figures.Budget!.Overspent).ThenByDescending(row => row.Figures.Budget!.Together).ToList();
        var listed = known.Where(row => row.Figures.Budget is { } one && (one.Overspent || one.Together >= Worth * one.Budget)).ToList();
        List<BudgetLine> lines =
            [.. listed.Select(row => new BudgetLine(report.HasSeveralArms ? [row.Cell, row.Figures.Arm] : [row.Cell], Sentence(row)))];
        if (known.Count > listed.Count)
        {
            var rest = known.Count - listed.Count;
            lines.Add(new([], (listed.Count == 0 ? Counted.Of(rest, "row") : $"{Counted.Of(rest, "more row")}")
                + $": less than half of {Percent.Constant(known[0].Figures.Budget!.Budget)} is spent"));
        }

        return lines;
    }

    private static string Sentence(ReportRow row)
    {
        var (one, unit) = (row.Figures.Budget!, row.Figures.Unit);
        var since = one.Anchor is { } anchor ? $" since {UntrustedText.Line(anchor)}" : " since the anchor";
        var verdict = one.Overspent ? "overspent" : one.Together > one.Budget ? "not overspent for certain, or not by this change" : "kept";
        var main = Percent.Change(one.Main, one.MainLow, one.MainHigh, unit);
        var together = Percent.Change(one.Together, one.Low, one.High, unit);
        var day = one.Newest.Started.UtcDateTime.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
        return $"{Percent.Change(row.Figures.Change, null, null, unit)} here; main is at {main}{since} ({day}); "
            + $"together {together}, budget {Percent.Constant(one.Budget)}: {verdict}";
    }
}
