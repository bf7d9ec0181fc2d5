using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Kubernetes;
using PerfLab.Programs;
using PerfLab.Runner.Afterwards;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Keeping;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Commands;

/// <summary>`measure plan.json`: launches what a plan says, into a journal.</summary>
internal static class MeasureCommand
{
    public static Command Create(Terminal terminal)
    {
        var plan = new Argument<string>("plan.json");
        var builds = new Option<string?>("--builds") { Description = "builds.json; default: beside the plan.", HelpName = "FILE" };
        var output = new Option<string?>("--out")
        {
            Description = "Folder for samples.ndjson; a session that was interrupted there goes on.",
            HelpName = "DIR",
        };
        var packs = PackOption.Create();
        var bases = PackOption.Bases("The bases of the containers from `build --bases`; none is made or pulled here then.");
        var executor = ExecutorOption.Create();
        var policy = PolicyOption.Create();
        var shard = new Option<int?>("--shard")
        {
            Description = "Measure only this shard of a plan that was made with --shards, from 1.",
            HelpName = "K",
        };
        var nodes = new Option<int?>("--nodes")
        {
            Description = "Measure so many shards at once, each on nodes of its own of the cluster; fewer where it has fewer.",
            HelpName = "N",
        };
        var wait = WaitOption.Create();
        var command = Examples.Command(
            "measure", "Launch every round of a built plan into samples.ndjson, one launch at a time.",
            ["./perf-lab measure plan.json --out session",
                "./perf-lab measure plan.json --shard 2 --out shard-2",
                "./perf-lab measure plan.json --nodes 4 --executor kubernetes --out session",
                "./perf-lab measure plan.json --pack base=base.tar --pack head=head.tar --bases bases.tar --out session"])
            .With(plan, builds, packs, bases, shard, nodes, output, executor, policy, wait);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            // Shards that are measured at once write from several threads.
            var lab = Lab.Open(terminal with { Error = TextWriter.Synchronized(terminal.Error) });
            var path = Path.GetFullPath(Path.Combine(terminal.WorkingFolder, parsed.GetValue(plan)!));
            var read = PlanStep.Read(path);
            if (read.Unlisted is { } unlisted)
            {
                throw new WrongUseException([new("plan.json", $"is open: the benchmarks of {string.Join(", ", unlisted)} are not listed.",
                    "Complete it: ./perf-lab plan --complete plan.json")]);
            }

            var built = PackOption.Read(parsed.GetValue(packs) ?? [], read, lab) ?? BuildsFile.Read(
                Path.Combine(terminal.WorkingFolder, parsed.GetValue(builds) ?? Path.Combine(Path.GetDirectoryName(path)!, "builds.json")), read);
            var measured = ShardOptions.Of(read, parsed.GetValue(shard));
            var budget = new WaitBudget(terminal, parsed.GetValue(wait));
            if (parsed.GetValue(nodes) is { } asked)
            {
                ShardOptions.CheckNodes(read, asked, parsed.GetValue(shard), parsed.GetValue(executor)!);
            }

            using var machine = await MachineLock.TakeAsync(
                terminal.MachineLock, RunCommand.HolderOf(measured, lab), budget, cancellationToken);
            await using var launcher = await lab.Executors.ChooseAsync(
                parsed.GetValue(executor)!, measured, cancellationToken, PackOption.Path(parsed.GetValue(bases), terminal));
            lab.RequireLaunchable(launcher, measured);
            if (parsed.GetValue(nodes) is { } several && launcher is KubernetesLauncher cluster)
            {
                var step = new NodesStep(lab, cluster, cluster.Beside, parsed.GetValue(policy), budget);
                var journals = await step.RunAsync(
                    read, built, several, lab.SessionFolderAt(parsed.GetValue(output)), cancellationToken);
                journals.ToList().ForEach(terminal.Out.WriteLine);
                return ExitCode.Done;
            }

            using var folder = SessionFolder.Open(lab.SessionFolderAt(parsed.GetValue(output)));
            await new MeasureStep(lab, launcher, parsed.GetValue(policy), budget) { Shard = parsed.GetValue(shard), Turn = machine }
                .RunAsync(measured, built, folder, cancellationToken);
            if (parsed.GetValue(shard) is null)
            {
                await ExplainMoved.RunAsync(
                    lab, launcher, measured, built, folder, () => LabLedger.ToRead(terminal), cancellationToken);
            }
            else if (measured.Explain)
            {
                terminal.Say("a shard alone has no verdict, so nothing is explained: `explain` takes cells by name");
            }

            terminal.Out.WriteLine(folder.Samples);
            return ExitCode.Done;
        });
        return command;
    }
}
