using PerfLab.Core.Statistics.Rows;

namespace PerfLab.Reports.Html;

/// <summary>Tables of a page. Each is whole without a script; with one, columns sort and rows can be filtered.</summary>
internal static class HtmlTable
{
    private const int FilterFrom = 8;

    /// <summary>Class of a head over texts; over figures it is theirs.</summary>
    internal const string Words = "column";

    /// <param name="Number">What the column sorts by; null: by its text.</param>
    /// <param name="IsMore">Left out on a phone: the row's own part says it.</param>
    /// <param name="IsWhole">Never broken into lines: a value stays beside its unit.</param>
    private sealed record Column(
        string Title, Func<ReportRow, string> Text, Func<ReportRow, double?>? Number = null, bool IsMore = false, bool IsWhole = false)
    {
        public string Style => Number is null ? Words : IsMore ? "figure more" : IsWhole ? "figure whole" : "figure";
    }

    /// <summary>Primary metrics, the most urgent first.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="report">Whose rows.</param>
    /// <param name="anchor">Id of the part that shows a row; null when it has none.</param>
    public static void Rows(HtmlWriter writer, Report report, Func<ReportRow, string?> anchor)
    {
        writer.Open("section", ("aria-labelledby", "table-title")).Text("h2", "All cells", ("id", "table-title"));
        if (report.Rows.Count == 0)
        {
            writer.Text("p", "Nothing was compared: this session has no cells.").Close();
            return;
        }

        var words = report.Rows.Select(WordOf).Where(word => word.Length > 0).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)
            .ToList();
        if (report.Rows.Count >= FilterFrom)
        {
            Tools(writer, "cells", words, "verdict");
        }

        var columns = report.IsOneArm ? OneArm : Compared(report);
        Open(writer, "cells", report.IsOneArm ? "All cells: values and noise" : "All cells, the most urgent first",
            [("cell", Words), .. report.HasSeveralArms ? [("arm", Words)] : Array.Empty<(string, string)>(), .. columns.Select(column =>
                (column.Title, column.Style))]);
        foreach (var row in report.Rows)
        {
            writer.Open("tr", ("data-word", WordOf(row)));
            Names(writer, report, row, anchor(row));
            Cells(writer, row, columns);
            writer.Close();
        }

        Close(writer);
        writer.Close();
    }

    /// <summary>Metrics without a verdict, behind a fold.</summary>
    public static void Others(HtmlWriter writer, Report report)
    {
        if (report.OtherMetrics.Count == 0)
        {
            return;
        }

        writer.Open("details").Text("summary", Invariant($"Other metrics, without a verdict ({report.OtherMetrics.Count})"));
        Column[] columns = report.IsOneArm ? OneArm
            : [.. Compared(report).Where(column => column.Title is not ("adj. p" or "detectable" or "allocated"))];
        Open(writer, "others", "Other metrics",
            [("cell", Words), .. report.HasSeveralArms ? [("arm", Words)] : Array.Empty<(string, string)>(), ("metric", Words),
                .. columns.Select(column => (column.Title, column.Style))]);
        foreach (var row in report.OtherMetrics)
        {
            writer.Open("tr");
            Names(writer, report, row, null);
            writer.Name("td", row.Figures.Metric, ("class", "name"));
            Cells(writer, row, columns);
            writer.Close();
        }

        Close(writer);
        writer.Close();
    }

    /// <summary>A small table of texts, the first column naming the row.</summary>
    public static void Plain(HtmlWriter writer, IReadOnlyList<string> heads, IEnumerable<IReadOnlyList<string>> rows)
    {
        writer.Open("div", ("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", string.Join(", ", heads)))
            .Open("table", ("class", "plain")).Open("thead").Open("tr");
        foreach (var (index, head) in heads.Index())
        {
            writer.Text("th", head, ("scope", "col"), ("class", index == 0 ? "column" : "figure"));
        }

        writer.Close().Close().Open("tbody");
        foreach (var row in rows)
        {
            writer.Open("tr");
            foreach (var (index, text) in row.Index())
            {
                writer.Name(index == 0 ? "th" : "td", text, index == 0 ? ("scope", "row") : ("class", "figure"));
            }

            writer.Close();
        }

        writer.Close().Close().Close();
    }

    /// <summary>The form above a table; hidden until a script brings it to life.</summary>
    public static void Tools(HtmlWriter writer, string table, IReadOnlyList<string> words, string ofWords)
    {
        writer.Open("form", ("class", "tools"), ("data-of", table), ("hidden", "hidden"), ("role", "search"))
            .Open("label").Words("filter by name").Empty("input", ("type", "search"), ("autocomplete", "off")).Close();
        if (words.Count > 1)
        {
            writer.Open("label").Words(ofWords).Open("select").Text("option", "all", ("value", ""));
            foreach (var word in words)
            {
                writer.Text("option", word, ("value", word));
            }

            writer.Close().Close();
        }

        writer.Text("output", "", ("aria-live", "polite")).Close();
    }

    /// <summary>Opens a table that sorts, in an area that scrolls by itself.</summary>
    public static void Open(HtmlWriter writer, string id, string caption, IReadOnlyList<(string Title, string Style)> heads)
    {
        writer.Open("div", ("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", caption))
            .Open("table", ("id", id), ("class", "sortable")).Text("caption", caption).Open("thead").Open("tr");
        foreach (var (title, style) in heads)
        {
            writer.Text("th", title, ("scope", "col"), ("class", style));
        }

        writer.Close().Close().Open("tbody");
    }

    public static void Close(HtmlWriter writer) => writer.Close().Close().Close();

    private static void Names(HtmlWriter writer, Report report, ReportRow row, string? anchor)
    {
        if (anchor is null)
        {
            writer.Name("th", row.Cell, ("scope", "row"));
        }
        else
        {
            writer.Open("th", ("scope", "row")).Name("a", row.Cell, ("href", "#" + anchor)).Close();
        }

        if (report.HasSeveralArms)
        {
            writer.Name("td", row.Figures.Arm, ("class", "name"));
        }
    }

    private static void Cells(HtmlWriter writer, ReportRow row, IReadOnlyList<Column> columns)
    {
        foreach (var column in columns)
        {
            // Only numbers that can be told from each other: an infinite one sorts like none.
            var number = column.Number is null ? null : column.Number(row) is { } known && double.IsFinite(known)
                ? known.ToString("R", CultureInfo.InvariantCulture) : "none";
            var style = column.Number is null ? WordOf(row) : column.Style;
            (string, string)[] attributes = number is null ? [("class", style.Length > 0 ? style : "word")]
                : number == "none" ? [("class", style), ("data-v", "")] : [("class", style), ("data-v", number)];
            writer.Name("td", column.Text(row), attributes);
        }
    }

    private static Column[] OneArm { get; } =
    [
        new("value", row => row.ArmValue, row => row.Figures.ArmValue, IsWhole: true),
        new("rounds", row => row.Rounds, row => row.Figures.Rounds, IsMore: true),
        new("noise", row => row.Noise, row => row.Figures.Noise, IsWhole: true),
    ];

    private static Column[] Compared(Report report) =>
    [
        new(report.HasSeveralArms ? "reference" : "base", row => row.ReferenceValue, row => row.Figures.ReferenceValue, IsMore: true),
        new(report.HasSeveralArms ? "value" : "head", row => row.ArmValue, row => row.Figures.ArmValue, IsMore: true),
        new(report.ChangeTitle, row => row.Change, row => row.Figures.Change),
        .. !report.HasBytes ? Array.Empty<Column>()
            : [new("allocated", row => row.Allocated, row => row.Bytes is { } bytes ? Allocations.Moved(bytes) : null)],
        .. report.IsQuickLook ? Array.Empty<Column>() : [new("adj. p", row => row.AdjustedP, row => row.Figures.AdjustedP, IsMore: true)],
        new("rounds", row => row.Rounds, row => row.Figures.Rounds, IsMore: true),
        new("noise", row => row.Noise, row => row.Figures.Noise, IsMore: true),
        .. report.IsQuickLook ? Array.Empty<Column>()
            : [new("detectable", row => row.Detectable, row => row.Figures.SmallestDetectable, IsMore: true)],
        new("verdict", row => row.Verdict),
    ];

    internal static string WordOf(ReportRow row) => row.Figures.Verdict is { } verdict ? Core.Files.Words.Of(verdict) : "";
}
