using System.CommandLine;
using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Launching;
using PerfLab.Machine.Facts;
using PerfLab.Programs;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Afterwards;
using PerfLab.Runner.Flow.Benchmarks;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Keeping;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Commands;

/// <summary>`run`: plan, build, measure, compare, report, in that order.</summary>
internal static class RunCommand
{
    public static Command Create(Terminal terminal)
    {
        var request = new RequestOptions(terminal);
        var commands = new CommandOptions();
        var output = new OutputOptions();
        var executor = ExecutorOption.Create();
        var dryRun = new Option<bool>("--dry-run") { Description = "Print what would run and how long it would take, and launch nothing. With --json, print plan.json." };
        var policy = PolicyOption.Create();
        var wait = WaitOption.Create();
        var resume = new Option<string?>("--resume") { Description = "Go on with an interrupted session.", HelpName = "DIR" };
        var command = Examples.Command(
            "run", "Plan, build, measure, compare and report in one.",
            [
                "./perf-lab run bench/My.Benchmarks.csproj --base main --head . --filter '*Parse*'",
                "./perf-lab run channel-actors --base runtime=net8.0 --head runtime=net10.0",
                "./perf-lab run json-round-trip --base framework=newtonsoft@12.0.3 --head framework=newtonsoft@13.0.3 --runtime net8.0,net10.0 --pgo on,off",
                "./perf-lab run ./my/workload --base main --head .",
                "./perf-lab run --command './new input.txt' --against './old input.txt'",
                "./perf-lab run json-round-trip --base pgo=on --head pgo=off --explain",
                "./perf-lab run json-round-trip --base pgo=on --head pgo=off --within 10m",
                "./perf-lab run quick --aa",
            ]).With(executor, policy, wait, dryRun, resume);
        request.AddTo(command, withProjects: true, withMinutes: true);
        commands.AddTo(command);
        output.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var lab = Lab.Open(terminal);
            var settings = new RunSettings(parsed.GetValue(executor)!, output.Read(parsed), parsed.GetValue(dryRun))
            {
                Policy = parsed.GetValue(policy),
                Wait = parsed.GetValue(wait),
            };
            if (parsed.GetValue(resume) is { } interrupted)
            {
                if (request.HasTargets(parsed))
                {
                    terminal.Say($"--resume {interrupted}: its plan says what is measured; targets and arms are not read");
                }

                return await ResumeAsync(lab, interrupted, settings, cancellationToken);
            }

            var problems = new List<Problem>();
            if (request.WantsDirection(parsed))
            {
                QuickLook.RefuseBeside(request.Rounds(parsed, []),
                    [("--fail-on regression", settings.Output.FailOn.HasFlag(FailOn.Regression)), .. request.OfVerdicts(parsed)]);
            }

            return commands.IsGiven(parsed) ? await RunAsync(lab, commands.Plan(parsed, request, lab), settings, cancellationToken)
                : await RunAsync(lab, request.Read(parsed, terminal, lab.Config.Policy, problems), problems, settings, cancellationToken);
        });
        return command;
    }

    public static async Task<int> RunAsync(
        Lab lab, BenchmarkRequest request, IReadOnlyCollection<Problem> problems, RunSettings settings, CancellationToken cancellationToken)
    {
        var plans = new PlanStep(lab.Config, lab.Runtimes(request, cancellationToken))
        {
            Projects = await new ProjectStep(lab, settings.Executor).FindAsync(request, problems, cancellationToken),
        };
        return await RunAsync(lab, plans.Make(request, problems), settings, cancellationToken);
    }

    /// <summary>Locks the machine, opens the session's folder and builds. What follows is MeasuredAsync.</summary>
    private static async Task<int> RunAsync(Lab lab, RunPlan plan, RunSettings settings, CancellationToken cancellationToken)
    {
        if (settings is { DryRun: true, Output.Json: true })
        {
            return PlanStep.Print(plan, lab.Terminal);
        }

        if (settings.DryRun)
        {
            return await DryRunAsync(lab, plan, settings.Executor, cancellationToken);
        }

        var budget = new WaitBudget(lab.Terminal, settings.Wait);
        using var machine = await MachineLock.TakeAsync(lab.Terminal.MachineLock, HolderOf(plan, lab), budget, cancellationToken);
        var looks = TreeLooks.Of(plan, lab.Config, lab.Terminal.SharesLooks); // under the lock: no two sessions are the same look
        if (looks.Line(plan.Policy) is { } line)
        {
            lab.Terminal.Say(line);
        }

        plan = looks.Charged(plan);
        using var folder = SessionFolder.OpenNew(lab.SessionFolderAt(settings.Output.Folder));
        await using var launcher = await lab.Executors.ChooseAsync(settings.Executor, plan, cancellationToken);

        SessionFolder.WriteWhole(folder.Plan, stream => PlanFile.File.Write(new(plan), stream));
        var builds = await BuiltAsync(lab, launcher, plan, folder, cancellationToken);
        looks.Count();
        return await MeasuredAsync(lab, launcher, plan, builds, (folder, settings, budget, machine), cancellationToken);
    }

    /// <summary>
    /// An executor that is not here ends it as it would end `run`: who names one asks whether it works, and exit code 0 would say yes.
    /// </summary>
    private static async Task<int> DryRunAsync(Lab lab, RunPlan plan, string executor, CancellationToken cancellationToken)
    {
        DryRun.Write(plan, lab.Terminal.Out);
        await using var launcher = await lab.Executors.WithoutBaseAsync(executor, plan, cancellationToken);
        lab.Terminal.Out.WriteLine($"  executor {launcher.Executor}{Executors.WhatIsMissing(launcher, plan)}");
        lab.RequireLaunchable(launcher, plan);
        return ExitCode.Done;
    }

    private static async Task<ArmBuilds> BuiltAsync(
        Lab lab, ILauncher launcher, RunPlan plan, SessionFolder folder, CancellationToken cancellationToken)
    {
        try
        {
            SourceCommits.CheckOut(plan, lab.Config);
            lab.RequireLaunchable(launcher, plan);
            var builds = await new BuildStep(lab.BuilderFor(launcher), lab.Terminal).RunAsync(plan, cancellationToken);
            SessionFolder.WriteWhole(folder.Builds, BuildsFile.Write(plan, builds));
            NeededBuilds.Remember(lab.Config, folder.Folder);
            OldBuilds.Remove(lab.Config, lab.Terminal);
            return new(builds);
        }
        catch (OperationCanceledException)
        {
            lab.Terminal.Say($"interrupted before anything was measured; go on with `{MeasureStep.Resuming(folder, lab.Terminal)}`");
            throw;
        }
    }

    private static async Task<int> MeasuredAsync(
        Lab lab, ILauncher launcher, RunPlan plan, ArmBuilds builds,
        (SessionFolder Folder, RunSettings Settings, WaitBudget Budget, MachineTurn Turn) how,
        CancellationToken cancellationToken)
    {
        await new MeasureStep(lab, launcher, how.Settings.Policy, how.Budget) { Turn = how.Turn }
            .RunAsync(plan, builds, how.Folder, cancellationToken);
        var compared = await ExplainMoved.RunAsync(
            lab, launcher, plan, builds, how.Folder, () => LabLedger.ToKeep(lab.Terminal, lab.Config), cancellationToken);
        var code = FinishStep.Run(lab, how.Folder, launcher, plan, how.Settings.Output, compared);
        cancellationToken.ThrowIfCancellationRequested(); // while it explained: the verdict was all there
        return code;
    }

    /// <summary>What others are told who want this machine meanwhile.</summary>
    public static string HolderOf(RunPlan plan, Lab lab) =>
        MachineLock.HolderNow(lab.Terminal.Clock, DryRun.Takes(plan));

    private static async Task<int> ResumeAsync(Lab lab, string interrupted, RunSettings settings, CancellationToken cancellationToken)
    {
        using var folder = SessionFolder.OpenBegun(Path.GetFullPath(Path.Combine(lab.Terminal.WorkingFolder, interrupted)));
        var plan = PlanStep.Read(folder.Plan);
        var budget = new WaitBudget(lab.Terminal, settings.Wait);
        using var machine = await MachineLock.TakeAsync(lab.Terminal.MachineLock, HolderOf(plan, lab), budget, cancellationToken);
        await using var launcher = await lab.Executors.ChooseAsync(settings.Executor, plan, cancellationToken);
        var builds = File.Exists(folder.Builds) ? BuildsFile.Read(folder.Builds, plan)
            : await BuiltAsync(lab, launcher, plan, folder, cancellationToken);
        return await MeasuredAsync(lab, launcher, plan, builds, (folder, settings, budget, machine), cancellationToken);
    }
}

/// <summary>How a session is run, beside what is measured.</summary>
internal sealed record RunSettings(string Executor, OutputSettings Output, bool DryRun = false)
{
    /// <summary>How strict about the machine; null leaves it to the machine.</summary>
    public HygienePolicy? Policy { get; init; }

    /// <summary>How long to wait for the machine; zero does not wait.</summary>
    public TimeSpan Wait { get; init; }
}
