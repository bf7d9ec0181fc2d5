using System.CommandLine;
using PerfLab.Core.Files;
using PerfLab.Core.Planning.Plans;
using PerfLab.Programs;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;

namespace PerfLab.Runner.Commands;

/// <summary>`plan`: the complete list of what may be launched, as plan.json on stdout.</summary>
internal static class PlanCommand
{
    public static Command Create(Terminal terminal)
    {
        var options = new RequestOptions(terminal);
        var shards = new ShardOptions();
        var checkouts = new CheckoutsOption();
        var file = new PullRequestOptions(checkouts);
        var again = new Option<string?>("--again")
        {
            Description = "Spread this plan over another number of machines, instead of planning anew; goes with --shards.",
            HelpName = "plan.json",
        };
        var command = Examples.Command(
            "plan", "Print plan.json: every cell, arm, build recipe and round, hashed, before anything runs.",
            [
                "./perf-lab plan channel-actors --base pgo=off --head pgo=on > plan.json",
                "./perf-lab plan channel-actors --base pgo=off --head pgo=on --shards 30m > plan.json",
                "./perf-lab plan --request request.json --checkouts . > plan.json",
                "./perf-lab plan --complete plan.json --request request.json --listed base=base.json --listed head=head.json > whole.json",
                "./perf-lab plan --again plan.json --shards 3 > plan-3.json",
            ]).With(again);
        options.AddTo(command);
        file.AddTo(command);
        shards.AddTo(command);
        checkouts.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            if (parsed.GetValue(again) is { } made)
            {
                ShardOptions.RefuseOthers(parsed, again.Name);
                return PlanStep.Print(Again(shards, parsed, PlanStep.Read(Path.Combine(terminal.WorkingFolder, made))), terminal);
            }

            var lab = Lab.Open(terminal);
            var plan = file.IsGiven(parsed) ? await file.PlanAsync(parsed, options, lab, cancellationToken)
                : FromArguments(parsed, options, checkouts, lab);
            return PlanStep.Print(shards.Split(parsed, plan), terminal);
        });
        return command;
    }

    /// <summary>Spread anew, a plan is still measured with the builds that were made for it.</summary>
    private static RunPlan Again(ShardOptions shards, ParseResult parsed, RunPlan made)
    {
        var split = shards.Split(parsed, made);
        var kept = split with { BuildsOf = made.BuildsOf ?? made.Hash };
        return split.Hash == made.Hash ? split : kept with { Hash = PlanFile.Hash(kept) };
    }

    private static RunPlan FromArguments(ParseResult parsed, RequestOptions options, CheckoutsOption checkouts, Lab lab)
    {
        var problems = new List<Problem>();
        var request = options.Read(parsed, lab.Terminal, lab.Config.Policy, problems);
        return checkouts.IsGiven(parsed) ? checkouts.Plan(parsed, request, lab, problems)
            : new PlanStep(lab.Config, lab.Runtimes(request)).Make(request, problems);
    }
}
