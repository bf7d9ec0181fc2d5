using System.CommandLine;
using PerfLab.Runner.Steps;

namespace PerfLab.Runner.Commands;

/// <summary>`build plan.json`: the arms' bits, and builds.json beside the plan.</summary>
internal static class BuildCommand
{
    public static Command Create(Terminal terminal)
    {
        var plan = new Argument<string>("plan.json");
        var output = new Option<string?>("--out") { Description = "Where builds.json goes; default: beside the plan.", HelpName = "FILE" };
        var executor = ExecutorOption.Create();
        var command = Examples.Command("build", "Build every arm of a plan once; what was built before is taken from the store.", ["./perf-lab build plan.json"]).With(plan, output, executor);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var lab = Lab.Open(terminal);
            var path = Path.Combine(terminal.WorkingFolder, parsed.GetValue(plan)!);
            var read = PlanStep.Read(path);
            await using var launcher = await lab.Executors.ChooseAsync(parsed.GetValue(executor)!, cancellationToken);
            var results = await new BuildStep(lab.BuilderFor(launcher), terminal).RunAsync(read, cancellationToken);
            var target = parsed.GetValue(output) is { } named
                ? Path.Combine(terminal.WorkingFolder, named) : Path.Combine(Path.GetDirectoryName(Path.GetFullPath(path))!, "builds.json");
            SessionFolder.WriteWhole(target, BuildsFile.Write(read, results));
            var (built, unavailable, failed) = (
                results.Values.Count(result => result.Build is not null),
                results.Values.Count(result => result.Unavailable is not null),
                results.Values.Count(result => result.Failure is not null));
            terminal.Say($"{built} arms built, {unavailable} unavailable, {failed} failed: {target}");
            return failed > 0 || built == 0 ? ExitCode.Failed : ExitCode.Done;
        });
        return command;
    }
}
