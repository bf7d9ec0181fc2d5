using System.CommandLine;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.History;
using PerfLab.Programs;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Keeping;

namespace PerfLab.Runner.Commits;

/// <summary>`history import`: sessions of before, and what other tools measured.</summary>
internal static class HistoryImportCommand
{
    public static Command Create(Terminal terminal)
    {
        var paths = new Argument<string[]>("path")
        {
            Description = "Journals (samples.ndjson), sessions' folders, exported folders; files of Otava (.json) and "
                + "github-action-benchmark (data.js).",
            Arity = ArgumentArity.ZeroOrMore,
        };
        var csv = new Option<string[]>("--csv")
        {
            Description = "What another tool measured: a header, a column time or date, one of commits, and columns of numbers.",
            HelpName = "FILE",
        };
        var command = Examples.Command(
            "import", "Keep journals. A session that is kept already is passed over, so an import can be repeated.",
            ["./perf-lab history import .perf-lab/sessions", "./perf-lab history import lab-data",
                "./perf-lab history import --csv results.csv", "./perf-lab history import gh-pages/dev/bench/data.js"]).With(paths, csv);
        command.SetAction((parsed, cancellationToken) =>
        {
            var tables = Full(parsed.GetValue(csv) ?? []);
            var (foreign, journals) = (Full(parsed.GetValue(paths)!).Where(IsForeign).ToList(),
                Full(parsed.GetValue(paths)!).Where(path => !IsForeign(path)).ToList());
            if (tables.Count + foreign.Count + journals.Count == 0)
            {
                throw new WrongUseException([new("path", "names nothing to import.",
                    "Example: ./perf-lab history import .perf-lab/sessions, or --csv results.csv")]);
            }

            using var store = LabHistory.Open(Lab.Open(terminal).Config);
            var problems = new List<Problem>();
            if (journals.Count > 0)
            {
                var report = Import.Run(store, journals, cancellationToken);
                terminal.Out.WriteLine(
                    Invariant($"{Counted.Of(report.Added, "session")} added, {report.Replaced} replaced by longer ones, ")
                    + Invariant($"{report.AlreadyThere} were there; {Counted.Of(report.Samples, "sample")}"));
                problems.AddRange(report.Problems);
            }

            foreach (var (path, isCsv) in foreign.Select(path => (path, false)).Concat(tables.Select(path => (path, true))))
            {
                cancellationToken.ThrowIfCancellationRequested();
                var (series, points) = store.ImportForeign(path, isCsv, problems);
                if (series > 0)
                {
                    terminal.Out.WriteLine(Invariant($"{series} series of another tool kept, {Counted.Of(points, "value")}: no pairs, ")
                        + "no proof of any setting; `./perf-lab trend` searches them");
                }
            }

            foreach (var problem in problems)
            {
                terminal.Say($"not kept: {UntrustedText.Line(problem.ToString(), UntrustedText.MaxChars)}");
            }

            return Task.FromResult(problems.Count > 0 ? ExitCode.Failed : ExitCode.Done);
        });
        return command;

        List<string> Full(string[] named) => [.. named.Select(path => Path.GetFullPath(Path.Combine(terminal.WorkingFolder, path)))];
    }

    /// <summary>A journal ends in .ndjson, and a folder is gone through for those.</summary>
    private static bool IsForeign(string path) => Path.GetExtension(path) is ".json" or ".js" && !Directory.Exists(path);
}
