using System.CommandLine;
using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Docker.Images;
using PerfLab.Programs;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Flow.Benchmarks;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Commands;

/// <summary>`build plan.json`: the arms' bits, and builds.json beside the plan.</summary>
internal static class BuildCommand
{
    public static Command Create(Terminal terminal)
    {
        var plan = new Argument<string>("plan.json");
        var output = new Option<string?>("--out") { Description = "Where builds.json goes; default: beside the plan.", HelpName = "FILE" };
        var arm = new Option<string?>("--arm") { Description = "Build this arm only, so that a pull request's base and head can be built on different machines.", HelpName = "ID" };
        var pack = new Option<string?>("--pack") { Description = "Also pack builds.json and the bits into one file, for `measure --pack` on another machine.", HelpName = "FILE" };
        var list = new Option<string?>("--list")
        {
            Description = "Of an open plan, whose benchmarks are known when it is built: also write which ones the arm holds.",
            HelpName = "FILE",
        };
        var bases = PackOption.Bases(
            "Build no arm: make what stands under the arms in containers and pack it, for `measure --bases` on another machine.");
        var executor = ExecutorOption.Create();
        var command = Examples.Command(
            "build", "Build every arm of a plan once; what was built before is taken from the store.",
            ["./perf-lab build plan.json", "./perf-lab build plan.json --arm base --pack base.tar",
                "./perf-lab build plan.json --arm base --pack base.tar --list base.json",
                "./perf-lab build plan.json --bases bases.tar"])
            .With(plan, output, arm, pack, list, bases, executor);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var lab = Lab.Open(terminal);
            var path = Path.Combine(terminal.WorkingFolder, parsed.GetValue(plan)!);
            var read = PlanStep.Read(path);
            if (PackOption.Path(parsed.GetValue(bases), terminal) is { } basesFile)
            {
                var settings = new BaseSettings(lab.Config.Store, lab.Config.BaseImage, Pack: null, terminal.Say);
                (await BasePack.WriteAsync(basesFile, read, settings, cancellationToken)).ToList().ForEach(terminal.Say);
                terminal.Out.WriteLine(basesFile);
                return ExitCode.Done;
            }

            await using var launcher = await lab.Executors.WithoutBaseAsync(parsed.GetValue(executor)!, read, cancellationToken);
            SourceCommits.CheckOut(read, lab.Config);
            WrongUseException.ThrowIfAny(launcher.Problems(read));
            var results = await new BuildStep(lab.BuilderFor(launcher), terminal).RunAsync(Only(read, parsed.GetValue(arm)), cancellationToken);
            var target = parsed.GetValue(output) is { } named
                ? Path.Combine(terminal.WorkingFolder, named) : Path.Combine(Path.GetDirectoryName(Path.GetFullPath(path))!, "builds.json");
            SessionFolder.WriteWhole(target, BuildsFile.Write(read, results));
            if (parsed.GetValue(pack) is { } packed)
            {
                var packFile = Path.Combine(terminal.WorkingFolder, packed);
                await BuildPack.WriteAsync(packFile, read, results, lab.Config.Store, cancellationToken);
            }

            if (parsed.GetValue(list) is { } listed && read.Unlisted is not null)
            {
                await ListAsync(lab, (read, parsed.GetValue(arm)), results, (parsed.GetValue(executor)!, listed), cancellationToken);
            }

            return Told(results.Values, target, terminal);
        });
        return command;
    }

    private static async Task ListAsync(Lab lab, (RunPlan Plan, string? Arm) of,
        IReadOnlyDictionary<(string Cell, string Arm), BuildResult> results, (string Executor, string File) how, CancellationToken cancellationToken)
    {
        if (of.Arm is not { } arm)
        {
            throw new WrongUseException([new Problem("--list", "lists one arm.", "Name it: --arm base.")]);
        }

        await using var launcher = await lab.Executors.ChooseSilentlyAsync(how.Executor, cancellationToken);
        var listed = await new ListStep(lab, launcher).RunAsync(of.Plan, arm, results, cancellationToken);
        SessionFolder.WriteWhole(Path.Combine(lab.Terminal.WorkingFolder, how.File), BenchmarksFile.File.Write(listed));
    }

    private static int Told(IEnumerable<BuildResult> all, string target, Terminal terminal)
    {
        var results = all.ToList();
        var (built, unavailable, failed) = (
            results.Count(result => result.Build is not null),
            results.Count(result => result.Unavailable is not null),
            results.Count(result => result.Failure is not null));
        terminal.Say($"{built} arms built, {unavailable} unavailable, {failed} failed: {target}");
        return failed > 0 || built == 0 ? ExitCode.Failed : ExitCode.Done;
    }

    private static RunPlan Only(RunPlan plan, string? arm)
    {
        var known = plan.Cells.SelectMany(cell => cell.Arms).Select(one => one.Id).Distinct(StringComparer.Ordinal).ToList();
        if (arm is null || known.Contains(arm, StringComparer.Ordinal))
        {
            return arm is null ? plan : plan with { Cells = [.. plan.Cells.Select(cell => cell with { Arms = [.. cell.Arms.Where(one => one.Id == arm)] })] };
        }

        throw new WrongUseException([new Problem("--arm", $"'{arm}' is not an arm of this plan.", NearestNames.Suggest(arm, known))]);
    }
}
