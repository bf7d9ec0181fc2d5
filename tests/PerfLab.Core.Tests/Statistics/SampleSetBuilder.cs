using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;

namespace PerfLab.Core.Tests.Statistics;

/// <summary>
/// A session written down by hand: one cell "c001" with the arms base and head unless said otherwise. Values are base 100 and head
/// 100 x exp(difference) of a metric "time" where lower is better.
/// </summary>
internal sealed class SampleSetBuilder
{
    private readonly List<Cell> _cells = [];
    private readonly List<Launch> _launches = [];
    private readonly List<VoidedRound> _voids = [];
    private readonly List<TouchedPair> _touches = [];
    private readonly List<PairEnd> _ends = [];

    public static readonly Metric Time = new("time", "s", Better.Lower, Primary: true);

    /// <summary>Twenty differences with a spread of about 1.5 %, centre near 0, without ties.</summary>
    public static readonly double[] Quiet =
    [
        0.008, -0.014, 0.022, -0.006, 0.001, 0.018, -0.024, 0.013, -0.0164, 0.0042,
        -0.003, 0.0268, -0.0202, 0.0076, -0.0098, 0.0154, -0.0186, 0.0024, -0.0052, 0.0116,
    ];

    public static double[] Shifted(double shift, int count = 20) => [.. Quiet.Take(count).Select(difference => difference + shift)];

    public SampleSetBuilder Cell(string id, params string[] arms) => Cell(id, [Time], arms);

    public SampleSetBuilder Cell(string id, Metric[] metrics, params string[] arms)
    {
        _cells.Add(new()
        {
            Id = id,
            Workload = "some-workload",
            Dimensions = new Dictionary<string, string>(StringComparer.Ordinal) { ["runtime"] = "net10.0.14" },
            Parameters = new Dictionary<string, string>(StringComparer.Ordinal),
            Arms = [.. (arms.Length > 0 ? arms : ["base", "head"]).Select(ArmOf)],
            Metrics = metrics,
        });
        return this;
    }

    /// <summary>Changes the cell that was added last.</summary>
    public SampleSetBuilder With(Func<Cell, Cell> change)
    {
        _cells[^1] = change(_cells[^1]);
        return this;
    }

    /// <summary>One round of base and head for each difference, of the cell that was added last.</summary>
    public SampleSetBuilder Rounds(Stage stage, IReadOnlyList<double> differences)
    {
        for (var round = 0; round < differences.Count; round++)
        {
            Measured(stage, round, "base", 100);
        }

        return Arm(stage, differences, "head");
    }

    /// <summary>A further arm in rounds that are already there.</summary>
    public SampleSetBuilder Arm(Stage stage, IReadOnlyList<double> differences, string arm)
    {
        for (var round = 0; round < differences.Count; round++)
        {
            Measured(stage, round, arm, 100 * Math.Exp(differences[round]));
        }

        return this;
    }

    public SampleSetBuilder Measured(Stage stage, int round, string arm, double value, int attempt = 0) =>
        Launch(stage, round, arm, attempt, launch => launch with
        {
            Metrics = CurrentCell.Metrics.ToDictionary(metric => metric.Name, _ => value, StringComparer.Ordinal),
        });

    /// <summary>A launch of the cell that was added last, measured with the values that <paramref name="change"/> gives it.</summary>
    public SampleSetBuilder Launch(Stage stage, int round, string arm, int attempt, Func<Launch, Launch> change)
    {
        _launches.Add(change(new()
        {
            Cell = CurrentCell.Id,
            Stage = stage,
            Round = round,
            Attempt = attempt,
            Position = 0,
            Arm = arm,
            Started = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero),
            WallSeconds = 1,
            Outcome = Outcome.Measured,
        }));
        return this;
    }

    public SampleSetBuilder Lost(
        Stage stage, int round, string arm, Outcome outcome = Outcome.Failed, int attempt = 0, string? reason = null) =>
        Launch(stage, round, arm, attempt, launch => launch with
        {
            Outcome = outcome,
            ExitCode = outcome == Outcome.Failed ? 139 : null,
            Reason = reason,
        });

    public SampleSetBuilder Void(Stage stage, int round, int attempt = 0)
    {
        _voids.Add(new(CurrentCell.Id, stage, round, attempt, "clock step of 0.4 s"));
        return this;
    }

    /// <summary>What the selection said of an arm of the cell that was added last.</summary>
    public SampleSetBuilder Touch(bool untouched, string reason, params string[] runs)
    {
        _touches.Add(new(CurrentCell.Id, "head", "sha256:difference", untouched, reason) { Runs = runs.Length == 0 ? null : runs, Lists = ["sha256:list"] });
        return this;
    }

    /// <summary>Why head of the cell that was added last was not measured on.</summary>
    public SampleSetBuilder Ended(int rounds, EndReason why)
    {
        _ends.Add(new(CurrentCell.Id, "head", rounds, why));
        return this;
    }

    public SampleSet Build(bool complete = true) => new()
    {
        Header = new()
        {
            Session = "s1",
            Plan = "sha256:plan",
            Seed = 7,
            Started = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero),
            Executor = "process",
            Cells = _cells,
        },
        Launches = _launches,
        Voids = _voids,
        Touches = _touches,
        Ends = _ends,
        Differences = _touches.Count == 0 ? [] : [new("sha256:difference", 3, ["Lexer.Peek", "Parser.Next", "Writer.Flush"], [])],
        Complete = complete,
    };

    public Comparison Compare(Policy? policy = null, bool complete = true) =>
        Comparer.Compare(Build(complete), new(policy ?? new Policy(), "defaults"));

    private Cell CurrentCell => _cells[^1];

    private static Arm ArmOf(string id) => new()
    {
        Id = id,
        Dimensions = new Dictionary<string, string>(StringComparer.Ordinal) { ["framework"] = id },
        Build = $"sha256:{id}",
    };
}
