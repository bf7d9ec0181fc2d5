using System.CommandLine;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Programs;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Flow.Benchmarks;

namespace PerfLab.Runner.Commands;

/// <summary>`diff`: which methods and types differ between two sources, as a running program sees it.</summary>
internal static class DiffCommand
{
    public static Command Create(Terminal terminal)
    {
        var request = new RequestOptions(terminal);
        var executor = ExecutorOption.Create();
        var command = Examples.Command(
            "diff", "What differs between the builds of two sources: methods, types, files. Nothing is launched.",
            ["./perf-lab diff --base main --head . bench/My.Benchmarks.csproj",
                "./perf-lab diff --base v1.2.0 --head v1.3.0 ./my/workload"]).With(executor);
        request.AddTo(command, withRounds: false);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var lab = Lab.Open(terminal);
            var problems = new List<Problem>();
            var asked = request.Read(parsed, terminal, lab.Config.Policy, problems);
            var diffs = await new DiffStep(lab, parsed.GetValue(executor)!).RunAsync(asked, problems, cancellationToken);
            foreach (var line in diffs.SelectMany(DiffText.Lines))
            {
                terminal.Out.WriteLine(line);
            }

            return diffs.All(diff => diff.Change is not null) ? ExitCode.Done : ExitCode.Failed;
        });
        return command;
    }
}
