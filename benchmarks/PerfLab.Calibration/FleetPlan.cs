using System.Globalization;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Calibration;

/// <summary>A plan of many cells of three lengths, and what a machine writes about them.</summary>
internal static class FleetPlan
{
    /// <summary>What a launch takes beside warm-up and measuring, as the product's estimate says.</summary>
    private const double Overhead = 0.6;

    private static readonly LaunchTimes[] Lengths = [new(2, 3, 60), new(2, 5, 60), new(3, 10, 60)];
    private static readonly SortedDictionary<string, string> None = new(StringComparer.Ordinal);
    private static readonly string[] Arms = ["base", "head"];

    public static RunPlan Of(int cells)
    {
        var policy = new Policy();
        var planned = Enumerable.Range(0, cells).Select(Cell).ToList();
        var plan = new RunPlan
        {
            Seed = 1,
            IsAa = false,
            Policy = policy,
            Cells = planned,
            Screen = Rounds(policy.ScreenRounds),
            Confirm = Rounds(policy.ConfirmRounds),
            Estimate = new(Seconds(policy.ScreenRounds), Seconds(policy.ScreenRounds + policy.ConfirmRounds),
                2 * cells * policy.ScreenRounds, 2 * cells * (policy.ScreenRounds + policy.ConfirmRounds)),
        };
        return plan with { Hash = PlanFile.Hash(plan) };

        IReadOnlyList<PlannedRound> Rounds(int count) =>
            [.. from round in Enumerable.Range(0, count) from cell in planned select new PlannedRound(cell.Id, round, Arms)];

        double Seconds(int rounds) => rounds * Enumerable.Range(0, cells).Sum(cell => 2 * LaunchSeconds(cell));
    }

    public static int Number(string cell) => int.Parse(cell.AsSpan(1), CultureInfo.InvariantCulture);

    public static double LaunchSeconds(int cell)
    {
        var times = Lengths[cell % Lengths.Length];
        return times.WarmUpSeconds + times.MeasureSeconds + Overhead;
    }

    /// <summary>What a journal took on a machine of the usual speed.</summary>
    public static double Seconds(SampleSet journal) => journal.Launches.Sum(launch => launch.WallSeconds);

    public static SessionHeader Header(RunPlan whole, RunPlan only, int shard) => new()
    {
        Session = FormattableString.Invariant($"shard-{shard}"),
        Plan = whole.Hash,
        Shard = shard,
        Seed = whole.Seed,
        Started = DateTimeOffset.UnixEpoch,
        Executor = "simulated",
        Policy = whole.Policy,
        Cells = [.. only.Cells.Select(cell => cell.ToCell(arm => arm, _ => null, null))],
    };

    public static Launch Launch(Stage stage, PlannedRound round, int position, double value, double seconds) => new()
    {
        Cell = round.Cell,
        Stage = stage,
        Round = round.Round,
        Position = position,
        Arm = round.Order[position],
        Started = DateTimeOffset.UnixEpoch,
        WallSeconds = seconds,
        Outcome = Outcome.Measured,
        Metrics = new Dictionary<string, double>(StringComparer.Ordinal) { ["time"] = value },
    };

    private static PlannedCell Cell(int number) => new()
    {
        Id = FormattableString.Invariant($"c{number:000}"),
        Workload = "simulated",
        Mode = "steady",
        Dimensions = None,
        Parameters = None,
        Arms = [.. Arms.Select(Arm)],
        Metrics = [new("time", "s", Better.Lower, Primary: true)],
        Launch = Lengths[number % Lengths.Length],
        Resources = new(1, 1 << 28, 64),
    };

    private static PlannedArm Arm(string id) => new()
    {
        Id = id,
        Dimensions = None,
        Recipe = new() { Workload = "simulated", Folder = "/", Kind = BuildKind.None },
        Command = ["./simulated"],
        Environment = [],
    };
}
