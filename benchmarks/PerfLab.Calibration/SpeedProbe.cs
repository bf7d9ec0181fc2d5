using PerfLab.Core.Model;
using PerfLab.Core.Trends;

namespace PerfLab.Calibration;

/// <summary>A large session for measuring the comparer itself: every cell is kept, so that all of them take the long way.</summary>
public static class SpeedProbe
{
    public static SampleSet Session(int cells, ulong seed)
    {
        var random = SeededRandom.For(seed, "speed probe");
        var policy = new Policy();
        var ids = Enumerable.Range(1, cells).Select(cell => FormattableString.Invariant($"c{cell:000}")).ToArray();
        return new()
        {
            Header = new()
            {
                Session = "speed-probe",
                Plan = "sha256:none",
                Seed = seed,
                Started = DateTimeOffset.UnixEpoch,
                Executor = "simulated",
                Cells = [.. ids.Select(Cell)],
            },
            Launches =
            [
                .. from stage in new[] { Stage.Screen, Stage.Confirm }
                   from round in Enumerable.Range(0, stage == Stage.Screen ? policy.ScreenRounds : policy.ConfirmRounds)
                   from cell in ids
                   from arm in new[] { "base", "head" }
                   select Launch(new(cell, stage, round, arm), random),
            ],
            Voids = [],
            Complete = true,
        };
    }

    /// <summary>A lab of many quiet series.</summary>
    public static IReadOnlyList<TrendSeries> Trend(int series, int points, ulong seed)
    {
        var random = SeededRandom.For(seed, "trend speed");
        var sessions = Enumerable.Range(0, points).Select(point => (
            Name: FormattableString.Invariant($"s{point:000}"), Started: DateTimeOffset.UnixEpoch.AddDays(point), Commit: FormattableString.Invariant($"{point:x7}"))).ToList();
        return
        [
            .. Enumerable.Range(0, series).Select(number => new TrendSeries(
                new()
                {
                    Workload = FormattableString.Invariant($"workload-{number}"),
                    Values = new Dictionary<string, string>(StringComparer.Ordinal),
                    Against = new Dictionary<string, string>(StringComparer.Ordinal),
                    Metric = "time",
                    Unit = "s",
                    Better = Better.Lower,
                    Machine = "machine",
                    Cpu = "cpu",
                    Executor = "simulated",
                },
                [.. sessions.Select(session => new TrendPoint(session.Name, session.Started, session.Commit, "anchor", 0.01 * random.NextNormal(), 0.01 * random.NextNormal()))])),
        ];
    }

    private static Cell Cell(string id) => new()
    {
        Id = id,
        Workload = "simulated",
        Dimensions = new Dictionary<string, string>(StringComparer.Ordinal),
        Parameters = new Dictionary<string, string>(StringComparer.Ordinal),
        Arms = [Arm("base"), Arm("head")],
        Metrics = [new("time", "s", Better.Lower, Primary: true), new("allocated", "B", Better.Lower, Kind: MetricKind.Exact)],
    };

    private static Arm Arm(string id) => new() { Id = id, Dimensions = new Dictionary<string, string>(StringComparer.Ordinal), Build = id };

    private static Launch Launch(Place place, SeededRandom random) => new()
    {
        Cell = place.Cell,
        Stage = place.Stage,
        Round = place.Round,
        Position = 0,
        Arm = place.Arm,
        Started = DateTimeOffset.UnixEpoch,
        WallSeconds = 1,
        Outcome = Outcome.Measured,
        Metrics = new Dictionary<string, double>(StringComparer.Ordinal)
        {
            ["time"] = Math.Exp(0.01 * random.NextNormal()),
            ["allocated"] = 4096,
        },
    };

    private sealed record Place(string Cell, Stage Stage, int Round, string Arm);
}
