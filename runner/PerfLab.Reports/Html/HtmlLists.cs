namespace PerfLab.Reports.Html;

/// <summary>What a page says about the session and about single rows, beside their figures.</summary>
internal static class HtmlLists
{
    private const int MostListed = 100;

    /// <summary>Doubts about the whole session: before everything else.</summary>
    public static void Warnings(HtmlWriter writer, Report report)
    {
        if (report.Warnings.Count > 0)
        {
            writer.Open("section", ("class", "notice"), ("aria-label", "Warnings"));
            Items(writer, report.Warnings);
            writer.Close();
        }
    }

    /// <summary>What was measured again, what could not be measured, and doubts about single rows.</summary>
    public static void Write(HtmlWriter writer, Report report)
    {
        Fold(writer, RepeatedRow.Title, [.. report.Repeated.Select(row => $"{string.Join(", ", row.Names)}: {row.Text}")], isOpen: true);
        Fold(writer, BudgetLine.Title, [.. report.Budget.Select(line => line.Plain)], isOpen: true);
        Fold(writer, SelectionLines.Title, report.Selection, isOpen: true);
        Fold(writer, "Unavailable here",
            [.. report.Rows.Where(row => row.Unavailable is not null).Select(row => $"{row.Cell}: {row.Unavailable}")], isOpen: true);
        Fold(writer, "Doubts about single rows",
            [.. report.Doubts.Select(doubt => $"{string.Join(", ", doubt.Names)}: {doubt.Text}")], isOpen: false);
    }

    /// <summary>Texts as a list; when there are very many, the first.</summary>
    public static void Items(HtmlWriter writer, IReadOnlyList<string> texts)
    {
        writer.Open("ul");
        foreach (var text in texts.Take(MostListed))
        {
            writer.Name("li", text);
        }

        if (texts.Count > MostListed)
        {
            writer.Text("li", Invariant($"and {texts.Count - MostListed} more, in comparison.json"));
        }

        writer.Close();
    }

    private static void Fold(HtmlWriter writer, string title, IReadOnlyList<string> texts, bool isOpen)
    {
        if (texts.Count > 0)
        {
            writer.Open("details", isOpen ? [("open", "")] : []).Text("summary", Invariant($"{title} ({texts.Count})"));
            Items(writer, texts);
            writer.Close();
        }
    }
}
