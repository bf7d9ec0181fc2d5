using PerfLab.Building.Manifests;
using PerfLab.Building.Runtimes;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Planning.Sharded;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow;

/// <summary>request.json -> plan: the names are looked up, base and head become checkouts, and the budget of perf-lab.yaml holds.</summary>
internal sealed class RequestStep(LabConfig config, RuntimeCatalog runtimes)
{
    private readonly PlanStep _plans = new(config, runtimes);

    /// <summary>The plan; throws <see cref="WrongUseException"/> with every problem, which becomes the reply to the comment.</summary>
    public RunPlan Make(RequestFile file, ulong seed, string baseFolder, string headFolder)
    {
        var problems = new List<Problem>();
        var machine = Machine(file.Words.Machine, problems);
        var request = file.ToBenchmarkRequest(config.Policy, seed) with { Machine = machine?.PricePerHour is { } price ? new(machine.Name, price) : null };
        if (request.Targets.Count == 0)
        {
            problems.Add(new("suite", "neither a suite nor a workload is named.", $"Valid suites: {string.Join(", ", config.Suites.Select(suite => suite.Name))}."));
        }

        var plan = Confirmed(request, machine, file.Words.Sessions, problems);
        ThrowIfTooDear(plan, machine, request);
        var (workloads, _) = new WorkloadCatalog(config).Expand(request.Targets, request.Set, problems);
        var placed = new Checkouts([Checkout.OfCommit("base", file.Base, baseFolder), Checkout.OfCommit("head", file.Head, headFolder)],
            config.Root, workloads).Place(plan);
        return Shards.Split(placed, Machines(plan, machine));
    }

    /// <summary>The fewest machines that keep the budget of minutes, and as many as there are where none do.</summary>
    private int Machines(RunPlan plan, MachineDefinition? machine) =>
        Math.Min(Shards.Within(plan, Budget) ?? int.MaxValue, Math.Min(machine?.Count ?? 1, Shards.Most(plan)));

    /// <summary>Seconds from the first launch to the last, on that many machines at once.</summary>
    private double Takes(RunPlan plan, MachineDefinition? machine) =>
        Shards.Together(Shards.Split(plan, Machines(plan, machine))).MostSeconds;

    /// <summary>
    /// The plan with as many sessions as were asked for, or as the lab says, and an explanation of what moves where the lab wants one:
    /// as much of it as the budget allows. The explanation goes first: it says why, not whether. A plan on several machines has none.
    /// </summary>
    private RunPlan Confirmed(BenchmarkRequest request, MachineDefinition? machine, int? asked, List<Problem> problems)
    {
        var most = asked ?? config.Github.Confirm;
        var tries = from sessions in Enumerable.Range(0, asked is null ? most : 1).Select(fewer => most - fewer)
                    from explain in config.Github.Explain ? [true, false] : (bool[])[false]
                    select request with { Policy = request.Policy with { Repeats = sessions - 1 }, Explain = explain };
        RunPlan? plan = null;
        foreach (var one in tries)
        {
            plan = _plans.Make(one, problems);
            if (Fits(plan, machine) && !(one.Explain && Machines(plan, machine) > 1))
            {
                break;
            }
        }

        return plan!;
    }

    /// <summary>Seconds.</summary>
    private double Budget => config.Github.Budget.Minutes * 60.0;

    private MachineDefinition? Machine(string? name, List<Problem> problems)
    {
        var machine = config.Machines.FirstOrDefault(known => known.Name == name);
        if (name is not null && machine is null)
        {
            problems.Add(new("--machine", $"'{name}' is not a machine of this lab.", NearestNames.Suggest(name, config.Machines.Select(known => known.Name))));
        }

        return machine ?? config.Machines.FirstOrDefault(known => known.Name == config.Github.Machine);
    }

    private bool Fits(RunPlan plan, MachineDefinition? machine) =>
        Takes(plan, machine) <= Budget && !(plan.Estimate.Cost?.Most > config.Github.Budget.Cost);

    private void ThrowIfTooDear(RunPlan plan, MachineDefinition? machine, BenchmarkRequest request)
    {
        if (Fits(plan, machine))
        {
            return;
        }

        var budget = config.Github.Budget;
        var machines = Machines(plan, machine) is > 1 and var several ? Invariant($" on {several} machines") : "";
        var cost = plan.Estimate.Cost is { } known ? Invariant($" and about {known.Most:0.00} in machine time") : "";
        var limit = budget.Cost is { } dearest && plan.Estimate.Cost is not null ? Invariant($" and cost {dearest:0.00}") : "";
        throw new WrongUseException([new(
            "budget", $"this may take {Minutes(plan, machine)}{machines}{cost}; a request may take {Text(budget.Minutes)}{limit}.",
            Smaller(request, machine) is { } smaller ? $"Try /benchmark {smaller.Suite}: {smaller.Minutes}." : "Name fewer workloads, runtimes or rounds.")]);
    }

    /// <summary>The largest suite that fits.</summary>
    private (string Suite, string Minutes)? Smaller(BenchmarkRequest request, MachineDefinition? machine) => config.Suites
        .Select(suite => (suite.Name, Plan: Try(request with { Targets = [suite.Name], Set = new Dictionary<string, IReadOnlyList<string>>(StringComparer.Ordinal) })))
        .Where(pair => pair.Plan is not null && Fits(pair.Plan, machine))
        .OrderByDescending(pair => pair.Plan!.Estimate.MostSeconds)
        .Select(pair => ((string, string)?)(pair.Name, Minutes(pair.Plan!, machine))).FirstOrDefault();

    private RunPlan? Try(BenchmarkRequest request)
    {
        try
        {
            return _plans.Make(request, []);
        }
        catch (WrongUseException)
        {
            return null;
        }
    }

    private string Minutes(RunPlan plan, MachineDefinition? machine) => Text(Math.Ceiling(Takes(plan, machine) / 60));

    private static string Text(double minutes) => Invariant($"{minutes:0.#} minutes");
}
