using System.CommandLine;
using PerfLab.Core.Reporting;
using PerfLab.Core.Statistics;
using PerfLab.Runner.Steps;

namespace PerfLab.Runner.Commands;

/// <summary>`report comparison.json`: the same comparison, rendered.</summary>
internal static class ReportCommand
{
    public static Command Create(Terminal terminal)
    {
        var file = new Argument<string>("comparison.json");
        var format = new Option<string>("--format") { Description = "How to render.", DefaultValueFactory = _ => "text" };
        format.AcceptOnlyFromAmong("text", "markdown", "json");
        var maxChars = new Option<int?>("--max-chars") { Description = "Markdown only: leave out whole sections from the bottom, and name them, until it is no longer than this (from 4000).", HelpName = "N" };
        maxChars.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<int?>() < MarkdownReport.LeastChars || result.GetValue(format) != "markdown")
            {
                result.AddError($"--max-chars goes with --format markdown, and is at least {MarkdownReport.LeastChars}.");
            }
        });
        var command = Examples.Command("report", "Render a comparison. Names of cells come from the samples.ndjson beside it, when it is of the same session.", ["./perf-lab report session/comparison.json --format markdown"]).With(file, format, maxChars);
        command.SetAction(parsed =>
        {
            var path = Path.Combine(terminal.WorkingFolder, parsed.GetValue(file)!);
            var comparison = ReportStep.Read(path);
            var context = ContextBeside(path, comparison);
            switch (parsed.GetValue(format))
            {
                case "markdown":
                    terminal.Out.Write(MarkdownReport.RenderWithin(Report.From(comparison, context), parsed.GetValue(maxChars) ?? int.MaxValue));
                    break;
                case "json":
                    ReportStep.Print(terminal, comparison, context, json: true);
                    break;
                default:
                    ReportStep.Print(terminal, comparison, context, json: false);
                    break;
            }

            return ExitCode.Done;
        });
        return command;
    }

    private static ReportContext ContextBeside(string path, Comparison comparison)
    {
        var journal = Path.Combine(Path.GetDirectoryName(Path.GetFullPath(path))!, "samples.ndjson");
        if (!File.Exists(journal))
        {
            return ReportContext.None;
        }

        var samples = CompareStep.Read(journal);
        return samples.Header.Session == comparison.Session ? JournalContext.Of(samples) : ReportContext.None;
    }
}
