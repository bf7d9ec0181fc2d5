using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Programs;
using PerfLab.Reports;
using PerfLab.Reports.Curves;
using PerfLab.Reports.Html;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Commands;

/// <summary>`report SESSION`: the same comparison, rendered.</summary>
internal static class ReportCommand
{
    public static Command Create(Terminal terminal)
    {
        var file = new Argument<string>("session") { Description = "A session's folder, or its comparison.json; - is standard input." };
        var format = new Option<string>("--format") { Description = "How to render.", DefaultValueFactory = _ => "text" };
        format.AcceptOnlyFromAmong("text", "markdown", "html", "json", "curves", "svg");
        var picture = new Option<string?>("--picture") { Description = "Which picture --format svg draws; the first, when not given. A wrong name lists them.", HelpName = "NAME" };
        var (plain, details) = (OutputOptions.Plain(), OutputOptions.Details());
        var maxChars = new Option<int?>("--max-chars") { Description = "Markdown only: leave out whole sections from the bottom, and name them, until it is no longer than this (from 4000).", HelpName = "N" };
        maxChars.Validators.Add(result =>
        {
            // What is no number is said by the parser; asking for its value here would throw.
            if (result.Tokens is [var token] && int.TryParse(token.Value, CultureInfo.InvariantCulture, out var most)
                && (most < MarkdownReport.LeastChars || result.GetValue(format) != "markdown"))
            {
                result.AddError($"--max-chars goes with --format markdown, and is at least {MarkdownReport.LeastChars}.");
            }
        });
        var command = Examples.Command(
            "report",
            "Render a comparison. Names of cells, curves and pictures come from the samples.ndjson beside it, when it is of the same session.",
            ["./perf-lab report .perf-lab/sessions/20261122-124951-37b2 --format markdown",
                "./perf-lab report session --format html > report.html",
                "./perf-lab report session/comparison.json --format svg > picture.svg"]).With(file, format, picture, maxChars, plain,
                    details);
        command.SetAction(parsed =>
        {
            var path = SessionFolder.Locate(terminal, parsed.GetValue(file)!, SessionFolder.ComparisonFile);
            var comparison = ReportStep.Read(path);
            var context = ContextBeside(terminal, path, comparison);
            var settings = new OutputSettings(null, parsed.GetValue(format) == "json", FailOn.None, parsed.GetValue(plain),
                parsed.GetValue(details));
            switch (parsed.GetValue(format))
            {
                case "markdown":
                    terminal.Out.Write(MarkdownReport.RenderWithin(Report.From(comparison, context), parsed.GetValue(maxChars) ?? int.MaxValue));
                    break;
                case "html":
                    var folder = InputFile.IsStandardInput(path) ? null : Path.GetDirectoryName(Path.GetFullPath(path));
                    terminal.Out.Write(HtmlReport.Render(Report.From(comparison, context), PageStep.Parts(folder, comparison,
                        context.Samples)));
                    break;
                case "curves":
                    terminal.Out.Write(CurvesFile.Write(comparison.Session, Report.From(comparison, context).Curves));
                    break;
                case "svg":
                    terminal.Out.Write(PictureStep.Choose(Report.From(comparison, context), context.Samples, parsed.GetValue(picture)).Render());
                    break;
                default:
                    ReportStep.Print(terminal, comparison, context, settings);
                    break;
            }

            return ExitCode.Done;
        });
        return command;
    }

    private static ReportContext ContextBeside(Terminal terminal, string path, Comparison comparison)
    {
        var folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        var journal = Path.Combine(folder, SessionFolder.Journal);
        if (InputFile.IsStandardInput(path))
        {
            return ReportContext.None;
        }

        if (!File.Exists(journal))
        {
            return ContextOfShards(terminal, folder, comparison);
        }

        var samples = CompareStep.Read(journal);
        return samples.Header.Session == comparison.Session ? JournalContext.Of(terminal, samples, JournalContext.PlanBeside(journal, samples)) : ReportContext.None;
    }

    /// <summary>The same where several machines measured: their journals lie beside one plan, and are joined as for the comparison.</summary>
    private static ReportContext ContextOfShards(Terminal terminal, string folder, Comparison comparison)
    {
        string[] journals = [.. Directory.EnumerateFiles(folder, SessionFolder.ShardJournals).Order(StringComparer.Ordinal)];
        var plan = journals.Length == 0 ? null : JournalContext.PlanIn(folder);
        if (plan is null || JoinedShards.SessionOf(plan) != comparison.Session)
        {
            return ReportContext.None;
        }

        return JournalContext.Of(terminal, CompareStep.Joined(journals, plan), plan);
    }
}
