using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Planning;

/// <summary>A command to time from outside.</summary>
/// <param name="Arm">"base" or "head".</param>
/// <param name="Text">As typed.</param>
/// <param name="Words">Program and arguments, as typed.</param>
/// <param name="Program">Absolute path of the program that the first word names.</param>
public sealed record PlannedCommand(string Arm, string Text, IReadOnlyList<string> Words, string Program);

/// <summary>What `--command` asks for.</summary>
/// <param name="Commands">The first is the reference. One: values and noise, no verdict.</param>
/// <param name="Folder">Where the person stands: the working folder of every launch.</param>
/// <param name="IsAa">The same command twice, and launched all the same.</param>
/// <param name="TimeoutSeconds">A launch that takes longer is stopped.</param>
/// <param name="Cpus">All cores that there are: a command is not limited.</param>
public sealed record CommandRequest(
    IReadOnlyList<PlannedCommand> Commands, string Folder, bool IsAa, double TimeoutSeconds, int Cpus, (int Screen, int Confirm)? Rounds,
        ulong Seed, Policy Policy)
{
    /// <summary>
    /// How they take turns, cut by the clock; null: they are launched one after the other. So are those that only may take turns: nobody
    /// knows whether a command is long enough.
    /// </summary>
    public TurnPlan? Turns { get; init; }
}

/// <summary>
/// A plan for commands that nobody wrote a manifest for: one cell, nothing to build, and the time from start to exit as the metric.
/// </summary>
public static class CommandPlanner
{
    /// <summary>The workload and the dimension of such a plan.</summary>
    public const string Name = "command";

    private const string AskForTurns =
        "only a launch of a command shows whether it is long enough to be cut; --pairing turns tries it";

    private static readonly Metric[] Metrics = [new("time", "s", Better.Lower, Primary: true), new("cpu-time", "s", Better.Lower)];

    /// <summary>What of a request can't be planned.</summary>
    public static IEnumerable<Problem> Problems(CommandRequest request)
    {
        const string Option = "--pairing", Instead = "Leave --pairing out: then a round launches one command after the other.";
        if (request.Turns is not { OrLaunches: false } turns)
        {
            yield break;
        }

        if (request.Commands.Count == 1)
        {
            yield return new(Option, "one command has nobody to take turns with.", "Name --against, or leave --pairing out.");
        }

        if (request.TimeoutSeconds <= turns.Slices * turns.SliceSeconds)
        {
            yield return new(Option, Invariant($"--timeout {request.TimeoutSeconds:0.###} leaves no time for {turns}."), Instead);
        }
    }

    public static RunPlan Plan(CommandRequest request)
    {
        var turns = request.Turns is { OrLaunches: false } cut ? cut with { ByClock = true } : null;
        var cell = new PlannedCell
        {
            Id = "c001",
            Workload = Name,
            Mode = "steady",
            Dimensions = None,
            Parameters = None,
            Arms = [.. request.Commands.Select(command => ToArm(command, request))],
            Metrics = Metrics,
            Launch = new(0, 0, request.TimeoutSeconds),
            Resources = new(request.Cpus, 1L << 50, int.MaxValue), // neither is limited
            Result = ResultFormat.WallTime,
            Turns = turns,
            NoTurns = request.Turns is { OrLaunches: true } ? AskForTurns : null,
        };
        var asked = request.Commands.Count == 1 ? request.Policy with { Repeats = 0 } : request.Policy;
        var policy = request.Rounds is { } rounds ? asked with { ScreenRounds = rounds.Screen, ConfirmRounds = rounds.Confirm }
            : request.Commands.Count == 1 ? asked with { ConfirmRounds = 0 }
            : PolicyRules.ForPairs(asked, 1);
        var plan = new RunPlan
        {
            Seed = request.Seed,
            IsAa = request.IsAa,
            Policy = policy,
            Cells = [cell],
            Screen = RoundOrder.Draw(request.Seed, Stage.Screen, policy.ScreenRounds, [cell]),
            Confirm = RoundOrder.Draw(request.Seed, Stage.Confirm, policy.ConfirmRounds, [cell]),
            Repeat = RoundOrder.DrawRepeats(request.Seed, policy, [cell]),
            Estimate = Estimate.Of([cell], policy, null),
        };
        return plan with { Hash = PlanFile.Hash(plan) };
    }

    private static SortedDictionary<string, string> None => new(StringComparer.Ordinal);

    private static PlannedArm ToArm(PlannedCommand command, CommandRequest request) => new()
    {
        Id = command.Arm,
        Dimensions = new SortedDictionary<string, string>(StringComparer.Ordinal) { [Name] = command.Text },
        Recipe = new BuildRecipe { Workload = Name, Folder = request.Folder, Kind = BuildKind.Command, Project = command.Program },
        Command = command.Words,
        Environment = [],
    };
}
