using System.CommandLine.Parsing;
using System.CommandLine;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Programs;
using PerfLab.Reports.Why;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Commands;

/// <summary>`jit`: what the JIT did in a cell, from one traced launch of each arm; the arms side by side.</summary>
internal static class JitCommand
{
    public static Command Create(Terminal terminal)
    {
        var request = new RequestOptions(terminal);
        var executor = ExecutorOption.Create();
        var format = new Option<string>("--format") { Description = "text, markdown or json.", DefaultValueFactory = _ => "text" };
        format.AcceptOnlyFromAmong("text", "markdown", "json");
        var traces = new Option<string[]>("--trace")
        {
            Description = "Read this .nettrace file instead of launching anything; may be repeated, the first is the reference.",
            HelpName = "FILE",
        };
        var command = Examples.Command(
            "jit", "JIT statistics of a cell by trigger, tier and method, base and head side by side.",
            [
                "./perf-lab jit channel-actors --base pgo=off --head pgo=on --runtime net10.0",
                "./perf-lab jit json-round-trip --runtime net8.0,net10.0 --format markdown",
                "./perf-lab jit --trace before.nettrace --trace after.nettrace",
            ]).With(executor, format, traces);
        request.AddTo(command, withRounds: false);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var files = parsed.GetValue(traces) ?? [];
            var report = files.Length > 0
                ? FromFiles(files, Stranger(parsed, request, [traces, format]), terminal)
                : await FromLaunchesAsync(parsed, request, parsed.GetValue(executor)!, terminal, cancellationToken);
            terminal.Out.Write(parsed.GetValue(format) switch
            {
                "json" => JitFile.Write(report),
                "markdown" => JitText.Markdown(report),
                _ => JitText.Plain(report),
            });
            return report.IsDone ? ExitCode.Done : ExitCode.Failed;
        });
        return command;
    }

    /// <summary>What says how to launch something, or null.</summary>
    private static string? Stranger(ParseResult parsed, RequestOptions request, Option[] own) =>
        request.HasTargets(parsed) ? "the workload"
        : parsed.CommandResult.Children.OfType<OptionResult>().FirstOrDefault(result => !result.Implicit && !own.Contains(result.Option))?.Option.Name;

    private static JitReport FromFiles(string[] files, string? stranger, Terminal terminal)
    {
        if (stranger is not null)
        {
            throw new WrongUseException([new("--trace", "reads files, so there is nothing to launch.", $"Leave {stranger} out, or --trace.")]);
        }

        return TraceFiles.Report([.. files.Select(file => Path.GetFullPath(Path.Combine(terminal.WorkingFolder, file)))]);
    }

    private static async Task<JitReport> FromLaunchesAsync(
        ParseResult parsed, RequestOptions options, string executor, Terminal terminal, CancellationToken cancellationToken)
    {
        var lab = Lab.Open(terminal);
        var problems = new List<Problem>();
        var request = options.Read(parsed, terminal, lab.Config.Policy, problems) with { Rounds = (0, 1) };
        var plan = new PlanStep(lab.Config, lab.Runtimes(request, cancellationToken)).Make(request, problems, isCompared: false);
        using var machine = MachineLock.Take(terminal.MachineLock);
        await using var launcher = await lab.Executors.ChooseAsync(executor, cancellationToken);
        var builds = await new BuildStep(lab.BuilderFor(launcher), terminal).RunAsync(plan, cancellationToken);
        return await new JitStep(lab, launcher).RunAsync(plan, new(builds), cancellationToken);
    }
}
