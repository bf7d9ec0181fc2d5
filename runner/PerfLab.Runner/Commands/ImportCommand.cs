using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Programs;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Flow.Benchmarks;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Commands;

/// <summary>`import bdn`: results that were made elsewhere become a session, with what they can't prove said in it.</summary>
internal static class ImportCommand
{
    public static Command Create(Terminal terminal)
    {
        var import = Examples.Command("import", "Make a session of results that were made elsewhere.",
            ["./perf-lab import bdn after-report-full.json --base before-report-full.json"]);
        import.Add(Bdn(terminal));
        return import;
    }

    private static Command Bdn(Terminal terminal)
    {
        var reports = new Argument<string[]>("report")
        {
            Description = "Full JSON reports of BenchmarkDotNet 0.13 to 0.16. Several with the same benchmark are more launches of it.",
            Arity = ArgumentArity.OneOrMore,
        };
        var reference = new Option<string[]>("--base")
        {
            Description = "A report to compare with; may be repeated. Without one there are values and no comparison.",
            HelpName = "REPORT",
        };
        var job = new Option<string?>("--base-job")
        {
            Description = "In place of --base: the job of these reports that their other jobs are compared with. Without it each job is "
                + "a row.",
            HelpName = "JOB",
        };
        var output = new OutputOptions();
        var command = Examples.Command(
            "bdn", "BenchmarkDotNet's full JSON reports as samples.ndjson, compared as far as they go.",
            ["./perf-lab import bdn after/My.Parsing-report-full.json --base before/My.Parsing-report-full.json --out session",
                "./perf-lab import bdn My.Parsing-report-full.json --base-job 'Runtime=.NET 8.0'"])
            .With(reports, reference, job);
        command.Validators.Add(result =>
        {
            if (result.GetResult(reference) is { Implicit: false } && result.GetResult(job) is { Implicit: false })
            {
                result.AddError("--base-job: with --base the reports of the two sides are compared, job by job. Leave one of them out.");
            }
        });
        output.AddTo(command);
        command.SetAction(parsed =>
        {
            var lab = Lab.Open(terminal);
            var settings = output.Read(parsed);
            using var folder = SessionFolder.Open(lab.SessionFolderAt(settings.Folder));
            if (File.Exists(folder.Samples))
            {
                throw new LabException($"writing {folder.Samples}", "there is a session already", "name another folder with --out");
            }

            var journal = new ImportStep(terminal.Clock).Make(folder.Id, Located(terminal, parsed.GetValue(reference) ?? []),
                Located(terminal, parsed.GetValue(reports)!), parsed.GetValue(job));
            SessionFolder.WriteWhole(folder.Samples, stream => stream.Write(journal));
            var (samples, comparison) = CompareStep.Run(folder.Samples, plan: null);
            SessionFolder.WriteWhole(folder.Comparison, Core.Statistics.Rows.Comparison.File.Write(comparison));
            ReportStep.Print(terminal, comparison, JournalContext.Of(terminal, samples, plan: null), settings);
            terminal.Say($"files: {Path.GetRelativePath(terminal.WorkingFolder, folder.Folder)}/ (samples.ndjson, comparison.json)");
            return Verdicts.ExitCodeOf(comparison, samples, settings.FailOn);
        });
        return command;
    }

    private static IReadOnlyList<string> Located(Terminal terminal, IEnumerable<string> paths) =>
        [.. paths.Select(path => InputFile.Locate(terminal, path))];
}
