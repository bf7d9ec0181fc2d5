using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Runner.GitHub;

/// <summary>What a request may take, by the `budget` of perf-lab.yaml: sessions, an explanation and machines follow from it.</summary>
internal sealed class RequestBudget(LabConfig config)
{
    /// <summary>Minutes after which GitHub ends the job that measures (`timeout-minutes` of the workflows).</summary>
    internal const int JobEnds = 360;

    /// <summary>What is around measuring: getting perf-lab and the builds, looking at the machine, sending what came out.</summary>
    private const int Around = 15;

    /// <summary>
    /// The plan with as many sessions as were asked for, or as the lab says, and an explanation of what moves where the lab wants one:
    /// as much of it as the budget allows. The explanation goes first: it says why, not whether. A plan on several machines has none, and
    /// one with minutes (`--within`) has one session, whatever the lab says.
    /// Throws <see cref="WrongUseException"/> when not even the smallest fits.
    /// </summary>
    /// <param name="request">What was asked for.</param>
    /// <param name="machine">Where it is measured.</param>
    /// <param name="asked">Sessions; null: nobody said.</param>
    /// <param name="make">A request -> its plan.</param>
    public RunPlan Fitting(BenchmarkRequest request, MachineDefinition? machine, int? asked, Func<BenchmarkRequest, RunPlan> make)
    {
        ThrowIfTooShort(request, machine, make);
        var most = asked ?? (request.Policy.Within > 0 ? 1 : config.Github.Confirm);
        var tries = from sessions in Enumerable.Range(0, asked is null ? most : 1).Select(fewer => most - fewer)
                    from explain in config.Github.Explain ? [true, false] : (bool[])[false]
                    select request with { Policy = request.Policy with { Repeats = sessions - 1 }, Explain = explain };
        RunPlan? plan = null;
        foreach (var one in tries)
        {
            plan = make(one);
            if (Fits(plan, machine) && !(one.Explain && Machines(plan, machine) > 1))
            {
                break;
            }
        }

        ThrowIfTooDear(plan!, machine, request, make);
        return plan!;
    }

    /// <summary>The plan over as many machines as it takes.</summary>
    public RunPlan Spread(RunPlan plan, MachineDefinition? machine) => Shards.Split(plan, Machines(plan, machine));

    /// <summary>
    /// The fewest machines that keep the budget of minutes, and as many as there are where none do. Of a plan with minutes it is one: they
    /// are shared by the cells of a machine.
    /// </summary>
    private int Machines(RunPlan plan, MachineDefinition? machine) => plan.Policy.Within > 0 ? 1
        : Math.Min(Shards.Within(plan, Budget(plan)) ?? int.MaxValue, Math.Min(machine?.Count ?? 1, Shards.Most(plan)));

    /// <summary>Seconds from the first launch to the last, on that many machines at once.</summary>
    private double Takes(RunPlan plan, MachineDefinition? machine) =>
        Shards.Together(Spread(plan, machine)).MostSeconds;

    /// <summary>
    /// Minutes that a request may take. Those of --within may all be spent, so they are over before the job is. A plan of fixed rounds
    /// may be long and take little: rows that the change can't touch are left out.
    /// </summary>
    private int Most(Policy policy) =>
        policy.Within > 0 ? Math.Min(config.Github.Budget.Minutes, JobEnds - Around) : config.Github.Budget.Minutes;

    /// <summary>The same in seconds.</summary>
    private double Budget(RunPlan plan) => 60.0 * Most(plan.Policy);

    private bool Fits(RunPlan plan, MachineDefinition? machine) =>
        Takes(plan, machine) <= Budget(plan) && !(plan.Estimate.Cost?.Most > config.Github.Budget.Cost);

    /// <summary>
    /// Refuses minutes in which no row could have an answer, and asks for no more than the budget has. On several machines rows would not
    /// share them, so one measures all; that others could take rows of fixed rounds is said.
    /// </summary>
    private void ThrowIfTooShort(BenchmarkRequest request, MachineDefinition? machine, Func<BenchmarkRequest, RunPlan> make)
    {
        if (request.Policy.Within == 0)
        {
            return;
        }

        var ample = make(request with { Policy = request.Policy with { Within = Policy.MostMinutes } });
        if (PolicyRules.TooFewMinutes(request.Policy, ample.Estimate.LeastSeconds) is not { } few)
        {
            return;
        }

        var next = ample.Estimate.LeastSeconds / 60 <= MostWithin(ample) ? few.Try
            : Invariant($"Ask for fewer rows: a request may take {Text(MostWithin(ample))}.");
        var spread = machine?.Count is > 1 and var several
            ? Invariant($" Without --within, up to {several} machines share the rows; minutes are those of one.") : "";
        throw new WrongUseException([few with { Try = next + spread }]);
    }

    private void ThrowIfTooDear(RunPlan plan, MachineDefinition? machine, BenchmarkRequest request, Func<BenchmarkRequest, RunPlan> make)
    {
        if (Fits(plan, machine))
        {
            return;
        }

        var budget = config.Github.Budget;
        var machines = Machines(plan, machine) is > 1 and var several ? Invariant($" on {several} machines") : "";
        var cost = plan.Estimate.Cost is { } known ? Invariant($" and about {known.Most:0.00} in machine time") : "";
        var most = Most(plan.Policy);
        var job = most < budget.Minutes ? Invariant($" (GitHub ends its job after {JobEnds})") : "";
        var limit = budget.Cost is { } dearest && plan.Estimate.Cost is not null ? Invariant($" and cost {dearest:0.00}") : "";
        // What a suite's project holds is known of this request alone.
        var isListed = plan.BuildsOf is not null;
        var rows = isListed ? $" with {Counted.Of(Shards.Most(plan), "row")}" : "";
        throw new WrongUseException([new(
            "budget", $"this may take {Minutes(plan, machine)}{rows}{machines}{cost}; a request may take {Text(most)}{job}{limit}.",
            plan.Policy.Within > 0 ? Invariant($"Ask for --within {MostWithin(plan):0.##}m or less.")
                : isListed ? "Choose benchmarks: /benchmark --filter *Parse*, or by --any-categories."
                : request.Snippet is null && Smaller(request, machine, make) is { } smaller ? $"Try /benchmark {smaller.Suite}: {smaller.Minutes}."
                : "Name fewer workloads, runtimes or rounds.")]);
    }

    /// <summary>Minutes that the budget has for measuring, to two digits.</summary>
    private double MostWithin(RunPlan plan)
    {
        var hours = config.Github.Budget.Cost / plan.Estimate.Cost?.PricePerHour;
        return Math.Floor(100 * Math.Min(Most(plan.Policy), 60 * hours ?? double.PositiveInfinity)) / 100;
    }

    /// <summary>The largest suite that fits.</summary>
    private (string Suite, string Minutes)? Smaller(BenchmarkRequest request, MachineDefinition? machine, Func<BenchmarkRequest, RunPlan> make) =>
        config.Suites
            .Select(suite => (suite.Name, Plan: Try(make, request with { Targets = [suite.Name], Set = new Dictionary<string, IReadOnlyList<string>>(StringComparer.Ordinal) })))
            .Where(pair => pair.Plan is not null && Fits(pair.Plan, machine))
            .OrderByDescending(pair => pair.Plan!.Estimate.MostSeconds)
            .Select(pair => ((string, string)?)(pair.Name, Minutes(pair.Plan!, machine))).FirstOrDefault();

    private static RunPlan? Try(Func<BenchmarkRequest, RunPlan> make, BenchmarkRequest request)
    {
        try
        {
            return make(request);
        }
        catch (WrongUseException)
        {
            return null;
        }
    }

    private string Minutes(RunPlan plan, MachineDefinition? machine) => Text(Math.Ceiling(Takes(plan, machine) / 60));

    private static string Text(double minutes) => Invariant($"{minutes:0.#} minutes");
}
