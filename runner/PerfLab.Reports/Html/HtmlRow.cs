using PerfLab.Core.Model;
using PerfLab.Core.Profiles;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Reports.Curves;
using PerfLab.Reports.Svg;
using PerfLab.Reports.Text;
using PerfLab.Reports.Why;

namespace PerfLab.Reports.Html;

/// <summary>A row with a part of its own.</summary>
/// <param name="Id">Of its heading, [a-z0-9-].</param>
/// <param name="Picture">Null where nothing could be measured.</param>
/// <param name="WarmUp">Null where its launches kept no windows.</param>
internal sealed record PartedRow(ReportRow Row, string Id, RowPicture? Picture, WarmUp? WarmUp);

/// <summary>Everything about one row: its picture, then folds with the rounds, the windows of its launches, latency, why it moved, and its
/// evidence.</summary>
internal static class HtmlRow
{
    private const int MostFlameChars = 4 << 20;

    public static void Write(HtmlWriter writer, Report report, PartedRow part, HtmlParts parts)
    {
        var row = part.Row;
        writer.Open("article", ("aria-labelledby", part.Id)).Name("h3", Title(report, row), ("id", part.Id))
            .Name("p", row.Verdict, ("class", HtmlTable.WordOf(row) is { Length: > 0 } word ? word : "word"));
        // What its rounds look like says nothing as long as the launches were not at rest: their age comes first.
        var isRestless = row.Figures.Verdict == Verdict.NotSteady;
        if (isRestless)
        {
            Windows(writer, part, isOpen: true);
        }

        if (part.Picture is { } picture)
        {
            var sources = row.Figures is { Noise: { } noise, NoiseSources: { } known } ? known.InWords(noise) : null;
            writer.Name("p", string.Join("; ", RowSvg.Facts(picture).Append(sources).OfType<string>()), ("class", "dim"))
                .Open("figure", ("class", "fits"), ("tabindex", "0"), ("aria-label", $"The rounds of {row.Cell}"))
                .Own(RowSvg.Render(picture, isInPage: true)).Close();
        }

        if (row.Warnings.Count > 0)
        {
            writer.Open("div", ("class", "notice"));
            HtmlLists.Items(writer, row.Warnings);
            writer.Close();
        }

        Failures(writer, row);
        Rounds(writer, part);
        if (!isRestless)
        {
            Windows(writer, part, isOpen: false);
        }

        HtmlLatency.Write(writer, row, part.Id, parts.Samples);
        ShortWhy(writer, report, row);
        Why(writer, row, parts);
        HtmlEvidence.Write(writer, row, parts.Samples);
        if (row.Reproduce is { } command)
        {
            writer.Text("p", "To measure this row again:", ("class", "dim")).Lines("pre", command, ("class", "command"), ("tabindex", "0"));
        }

        writer.Close();
    }

    private static string Title(Report report, ReportRow row) => report.HasSeveralArms ? $"{row.Cell}: {row.Figures.Arm}" : row.Cell;

    private static void Failures(HtmlWriter writer, ReportRow row)
    {
        foreach (var failure in row.Failures)
        {
            writer.Name("p", $"{failure.Arm}: {failure.What}", ("class", "failed"));
            foreach (var text in new[] { failure.Reason, failure.Tail }.OfType<string>())
            {
                writer.Lines("pre", text, ("tabindex", "0"));
            }
        }
    }

    private static void Rounds(HtmlWriter writer, PartedRow part)
    {
        var row = part.Row;
        if (row.Measured.Count > 0)
        {
            writer.Open("details").Text("summary", $"The {Counted.Of(row.Measured.Count, "round")} as a table");
            var (reference, arm) = part.Picture?.Sides ?? ("reference", "arm");
            HtmlTable.Plain(writer, ["round", reference, arm, "difference"], row.Measured.Select(round =>
            {
                var values = Quantity.Format(row.Figures.Unit, round.Reference, round.Arm);
                return (IReadOnlyList<string>)
                    [Invariant($"{round.Round + 1}"), values[0], values[1], Percent.Change(Math.Exp(round.Difference) - 1, null, null,
                        row.Figures.Unit)];
            }));
            writer.Close();
        }
        else if (row.Alone.Count > 0)
        {
            writer.Open("details").Text("summary",
                row.Alone.Count == 1 ? "The launch as a table" : $"The {Counted.Of(row.Alone.Count, "launch")} as a table");
            HtmlTable.Plain(writer, ["launch", "value"], row.Alone.Select((value, index) =>
                (IReadOnlyList<string>)[Invariant($"{index + 1}"), Quantity.Format(row.Figures.Unit, value)[0]]));
            writer.Close();
        }
    }

    private static void Windows(HtmlWriter writer, PartedRow part, bool isOpen)
    {
        if (part.WarmUp is { } warmUp)
        {
            writer.Open("details", isOpen ? [("open", "open")] : []).Text("summary", "How its launches came up to speed")
                .Open("figure", ("tabindex", "0"), ("aria-label", "Rate over the time of a launch"))
                .Own(WarmUpSvg.Render(warmUp with { Name = "warm-up-" + part.Id }, isInPage: true)).Close().Close();
        }
    }

    private static void ShortWhy(HtmlWriter writer, Report report, ReportRow row)
    {
        if (ExplanationRow.Of(row, report.HasSeveralArms) is { } found)
        {
            writer.Text("p", ExplanationRow.Title + ":").Open("ul");
            foreach (var line in found.Plain)
            {
                writer.Name("li", line);
            }

            writer.Close();
        }
    }

    private static void Why(HtmlWriter writer, ReportRow row, HtmlParts parts)
    {
        var key = new RowKey(row.Figures.Cell, row.Figures.Arm);
        var explained = parts.Explanation?.Rows.FirstOrDefault(one => (one.Cell, one.Arm) == (key.Cell, key.Arm));
        var flame = parts.FlameGraphs.GetValueOrDefault(key);
        if (explained is null && flame is null)
        {
            return;
        }

        writer.Open("details").Text("summary", "Why it moved");
        if (explained is not null)
        {
            writer.Lines("pre", ExplanationText.Plain(new Explanation { Rows = [explained] }), ("tabindex", "0"));
        }

        if (flame is { Length: <= MostFlameChars })
        {
            // In an image nothing runs, whoever wrote the file.
            var data = Convert.ToBase64String(Encoding.UTF8.GetBytes(flame));
            writer.Open("figure", ("tabindex", "0"), ("aria-label", "Flame graph"))
                .Own("<img alt=\"Flame graph: as wide as the cost of the arm, red where it costs more than the reference, ")
                .Own("blue where less.\" ")
                .Own($"src=\"data:image/svg+xml;base64,{data}\">\n")
                .Close();
        }

        writer.Close();
    }
}
