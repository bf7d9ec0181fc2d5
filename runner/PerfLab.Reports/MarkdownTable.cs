using System.Text.RegularExpressions;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Reports.Text;

namespace PerfLab.Reports;

/// <summary>
/// Tables of rows in GitHub's Markdown, of at most four columns: a phone shows no more. Names are code spans, always: the reader's eye
/// gets used to it, and no name can do anything.
/// </summary>
internal static partial class MarkdownTable
{
    private const string Between = "<br>";

    /// <summary>"| 🔴 **12.3 % slower**&lt;br&gt;11.0 to 13.1 % | `Json.Parse` | 41.00 → 46.10 µs |", a line each.</summary>
    public static string Compared(Report report, IReadOnlyList<ReportRow> rows) => Table(
        [$"change, + is {Worse(report)}", report.RowWord, report.HasSeveralArms ? "reference → value" : "base → head"], "--- | --- | ---",
        rows.Select(row => new[]
        {
            $"{RowMark.Of(row)} {string.Join(Between, RowMark.Lines(row).Select(Together))}",
            MarkdownName.Of(row.Cell) + (report.HasSeveralArms ? Between + UntrustedText.Code(row.Figures.Arm) : ""),
            Values(row),
        }));

    /// <summary>A session of one arm: values and noise.</summary>
    public static string OneArm(Report report, IReadOnlyList<ReportRow> rows) => Table(
        ["value", report.RowWord, "noise", "launches"], "--: | --- | --: | --:",
        rows.Select(row => new[] { Together(Value(row.ArmValue)), MarkdownName.Of(row.Cell), Together(row.Noise), row.Rounds }));

    /// <summary>Metrics beside the primary one: no verdict, but whether exact ones are equal.</summary>
    public static string Others(Report report) => Table(
        ["metric", report.RowWord, .. report.IsOneArm ? ["value", "noise"] : new[] { "change", "base → head" }], "--- | --- | --: | --:",
        report.OtherMetrics.Select(row => new[]
        {
            UntrustedText.Code(row.Figures.Metric),
            UntrustedText.Code(row.Cell) + (report.HasSeveralArms ? Between + UntrustedText.Code(row.Figures.Arm) : ""),
            Together(report.IsOneArm ? Value(row.ArmValue) : row.Figures.Equal is null ? row.Change : RowMark.Word(row)),
            report.IsOneArm ? Together(row.Noise) : Values(row),
        }));

    /// <summary>What stands behind the verdicts, in columns that a phone scrolls to: it is folded.</summary>
    public static string Figures(Report report)
    {
        (string Title, Func<ReportRow, string> Text, bool IsShown)[] figures =
        [
            (report.ChangeTitle, row => Together(row.Change), true),
            ("adj.\u00A0p", row => row.AdjustedP.Replace("<", "&lt;"), !report.IsQuickLook),
            ("rounds", row => row.Rounds, true),
            ("noise", row => Together(row.Noise), true),
            ("detectable", row => Together(row.Detectable), !report.IsQuickLook),
            ("allocated", Allocated, report.HasBytes),
            ("shard", row => row.Shard, report.IsSharded),
        ];
        var shown = figures.Where(figure => figure.IsShown).ToList();
        return Table([report.RowWord, .. shown.Select(figure => figure.Title)], string.Join(" | ", shown.Select(_ => "--:").Prepend("---")),
            report.Rows.Where(row => row.Figures.Rounds > 0).Select(row => shown.Select(figure => figure.Text(row))
                .Prepend(UntrustedText.Code(row.Cell) + (report.HasSeveralArms ? " " + UntrustedText.Code(row.Figures.Arm) : ""))));
    }

    private static string Worse(Report report)
    {
        var words = report.Rows.Select(row => Percent.Worse(row.Figures.Unit)).Distinct(StringComparer.Ordinal).ToList();
        return words is [var one] ? one : "worse";
    }

    /// <summary>"12.41 → 12.79 ms", and the bytes below where they changed.</summary>
    private static string Values(ReportRow row)
    {
        var time = row is { ReferenceValue: "-", ArmValue: "-" } ? "-" : Pair(row.ReferenceValue, row.ArmValue);
        return row.Bytes is { } bytes && Allocations.Moved(bytes) != 0
            ? time + Between + Pair(Quantity.Exact(bytes.Unit, bytes.ReferenceValue), Quantity.Exact(bytes.Unit, bytes.ArmValue)) : time;
    }

    /// <summary>The unit once, where both have the same.</summary>
    private static string Pair(string from, string to)
    {
        var blank = from.IndexOf(' ', StringComparison.Ordinal);
        var isShared = blank > 0 && HarmlessUnit().IsMatch(from) && to.EndsWith(from[blank..], StringComparison.Ordinal);
        return $"{Whole(isShared ? from[..blank] : Value(from))} → {Whole(Value(to))}";
    }

    // Broken at the arrow or nowhere.
    private static string Whole(string value) => value.StartsWith('`') ? value : value.Replace(' ', '\u00A0');

    private static string Allocated(ReportRow row) => HarmlessUnit().IsMatch($"0 {row.Bytes?.Unit}")
        ? row.Allocated.Replace(">", "&gt;") : UntrustedText.Code(row.Allocated);

    // A unit comes from a journal. Letters and one slash are harmless, except that GitHub links seven hex digits to a commit.
    internal static string Value(string value) => HarmlessUnit().IsMatch(value) ? value : UntrustedText.Code(value);

    private static string Table(IReadOnlyList<string> titles, string ruler, IEnumerable<IEnumerable<string>> rows) => string.Join('\n',
        rows.Select(Line).Prepend($"| {ruler} |").Prepend(Line(titles)));

    /// <summary>A narrow table breaks its lines between figures, not inside one: "8.4 %", "2.66 k", "[+3.7, +4.5]".</summary>
    internal static string Together(string text) => InsideFigure().Replace(text, "\u00A0");

    internal static string Line(IEnumerable<string> cells) => $"| {string.Join(" | ", cells)} |";

    [GeneratedRegex(@"(?<=[0-9]) (?=%|[kMGTmµn]( |/|\z))|(?<=\[[^]]*,) (?=[+-]?[0-9])", RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant, 1000)]
    private static partial Regex InsideFigure();

    [GeneratedRegex(@"^(-|-?[0-9.E+-]+( [kMGTmµn]?(/s)?)?( ?(?![a-f]{7})[A-Za-zµ%]{1,20}(/(?![a-f]{7})[A-Za-zµ]{1,20})?)?)\z", RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant, 1000)]
    private static partial Regex HarmlessUnit();
}
