using System.Globalization;
using PerfLab.Core.Model;
using PerfLab.Reports;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Reporting.Support;

/// <summary>Comparisons with one row of every kind. The figures are made up, to be looked at.</summary>
internal static class SampleReports
{
    public const string HostileTail =
        "Unhandled exception. System.Exception: \e[31mboom\e[0m\n```\n</details> @org/team fixes #1 <!-- perf-lab:v1 pr=1 req=2 -->\n::error::pwned\n##[error]pwned\n\u202Egnp.exe\u200B | x | y |";

    public static (Comparison Comparison, ReportContext Context) EveryVerdict()
    {
        ComparedMetric[] figures =
        [
            Figures("c001") with { ReferenceValue = 0.01241, ArmValue = 0.01279, Change = 0.0306, Low = 0.0242, High = 0.0381, PValue = 0.00002, AdjustedP = 0.0004, Noise = 0.0093, SmallestDetectable = 0.0129, Verdict = Verdict.Regressed },
            Exact("c001", 8123, 8131),
            Figures("c002") with { Unit = "doc/s", ReferenceValue = 41_000, ArmValue = 83_100, Change = -0.5066, Low = -0.512, High = -0.501, PValue = 0.0000019, AdjustedP = 0.000013, Noise = 0.011, SmallestDetectable = 0.0147, Verdict = Verdict.Improved },
            Exact("c002", 8123, 8123),
            Screened("c003") with { Unit = "1/s", ReferenceValue = 412_300, ArmValue = 409_400, Change = 0.0071, Low = -0.0062, High = 0.0213, PValue = 0.31, Noise = 0.0141, SmallestDetectable = 0.0188, Verdict = Verdict.Undecided },
            Screened("c004") with { ReferenceValue = 0.000841, ArmValue = 0.0009, Change = 0.0702, Low = -0.11, High = 0.241, PValue = 0.38, Noise = 0.094, SmallestDetectable = 0.1241, Verdict = Verdict.TooNoisy, Warnings = ["noise of 9.4 % on the screen's rounds"] },
            Figures("c005") with { Rounds = 0, Stage = null, Verdict = Verdict.IdenticalBuild },
            Figures("c006") with { Rounds = 3, Stage = Stage.Screen, ReferenceValue = 1.2, ArmValue = 1.21, Verdict = Verdict.Failed, Warnings = ["head failed in 5 of 8 launches, base in 0", "3 complete rounds, a verdict needs 6"] },
            Figures("c007") with { Rounds = 0, Stage = null, Verdict = Verdict.Unavailable },
            Screened("c008") with { ReferenceValue = 0.0000123, ArmValue = 0.0000123, Change = 0.0001, Low = -0.0021, High = 0.0023, PValue = 1, Noise = 0.0021, SmallestDetectable = 0.0104, Verdict = Verdict.Unchanged },
            Screened("c009") with { ReferenceValue = 0.000272, ArmValue = 0.000253, Noise = 0.133, Verdict = Verdict.NotSteady, WarmUpSeconds = 6, Warnings = ["not-steady: 8 of 8 launches of arm head compiled until they were measured, or while they were"] },
            Figures("c010") with { Rounds = 0, Stage = null, Verdict = Verdict.Untouched, Touched = "none of the 3 changed methods runs in it" },
        ];
        var comparison = Of(figures, new VerdictCounts(1, 1, 1, 1, 1, 1, 1, 1) { NotSteady = 1, Untouched = 1 }) with { Selection = new(3, [], ["Writer.<Flush>|b__0 @org/team"], 0), Warnings = ["session was cut: no end record"] };
        var context = new ReportContext
        {
            Cells =
            [
                Cell("c001", "json-round-trip", "net8.0.33", "on"), Cell("c002", "json-round-trip", "net10.0.14", "on"),
                Cell("c003", "plaintext", "net10.0.14", "on"), Cell("c004", "plaintext", "net10.0.14", "off"),
                Cell("c005", "channel-actors", "net10.0.14", "on"), Cell("c006", "|[x](javascript:1) @org/team", "net10.0.14", "on"),
                Cell("c007", "orleans-ping", "net10.0.14", "on") with { Unavailable = "package Microsoft.Orleans.Server 10.0.0: no source has it" },
                Cell("c008", "http-loopback", "net10.0.14", "on"), Cell("c009", "json-round-trip", "net10.0.14", "off"),
                Cell("c010", "parse", "net10.0.14", "on"),
            ],
            Launches = [Failed("c006", 0, HostileTail), Failed("c006", 1, HostileTail), Failed("c006", 2, null) with { Outcome = Outcome.TimedOut, ExitCode = null }],
            Machine = "AMD EPYC 7763, 4 cores, Linux 6.12",
            Executor = "process",
            ExecutorWarnings = ["process executor: unsealed, own code only"],
            Started = new DateTimeOffset(2026, 3, 1, 14, 5, 9, TimeSpan.Zero),
            Seed = 7,
        };
        return (comparison, context);
    }

    public static (Comparison Comparison, ReportContext Context) OneArm()
    {
        ComparedMetric[] figures =
        [
            Figures("c001") with { Reference = null, ArmValue = 0.01279, Noise = 0.0093, Rounds = 8 },
            Figures("c001") with { Reference = null, Metric = "peak-memory", Primary = false, Unit = "B", ArmValue = 48_234_496, Noise = 0.002, Rounds = 8 },
            Figures("c002") with { Reference = null, Rounds = 0, Warnings = ["every launch failed"] },
        ];
        return (Of(figures, new VerdictCounts(0, 0, 0, 0, 0, 0, 0, 0)), new ReportContext
        {
            Cells = [OneArmCell("c001", "net8.0.33"), OneArmCell("c002", "net10.0.14")],
            Launches = [Failed("c002", 0, HostileTail)],
            Executor = "docker",
        });
    }

    public static Comparison NoCells() => Of([], new VerdictCounts(0, 0, 0, 0, 0, 0, 0, 0));

    /// <summary>3 regressed, 1 improved, 100 unchanged, 96 undecided, spread over the plan.</summary>
    public static (Comparison Comparison, ReportContext Context) TwoHundred()
    {
        var figures = Enumerable.Range(0, 200).Select(index =>
        {
            var row = Screened(Id(index)) with
            {
                ReferenceValue = 0.01 + index * 0.0001,
                ArmValue = 0.01 + index * 0.0001,
                Change = 0.001,
                Low = -0.004,
                High = 0.006,
                PValue = 0.4,
                Noise = 0.008,
                SmallestDetectable = 0.010 + index * 0.00003,
            };
            return index switch
            {
                20 or 90 or 160 => row with { Verdict = Verdict.Regressed, Change = 0.02 + index * 0.001, Low = 0.015, High = 0.2, AdjustedP = 0.0011, Stage = Stage.Confirm, Rounds = 20 },
                33 => row with { Verdict = Verdict.Improved, Change = -0.043, Low = -0.05, High = -0.038, AdjustedP = 0.0002, Stage = Stage.Confirm, Rounds = 20 },
                < 102 => row with { Verdict = Verdict.Unchanged },
                _ => row with { Verdict = Verdict.Undecided },
            };
        }).ToArray();
        var counts = new VerdictCounts(3, 1, figures.Count(row => row.Verdict == Verdict.Unchanged), figures.Count(row => row.Verdict == Verdict.Undecided), 0, 0, 0, 0);
        var cells = Enumerable.Range(0, 200).Select(index =>
            Cell(Id(index), "json-round-trip", "net10.0.14", index % 2 == 0 ? "on" : "off") with
            {
                Parameters = new Dictionary<string, string>(StringComparer.Ordinal) { ["documents"] = (100 * (1 + index / 2)).ToString(CultureInfo.InvariantCulture) },
            });
        return (Of(figures, counts) with { FalseFlags = new FalseFlags(1, 90, 0.000281, 0.0604) }, new ReportContext { Cells = [.. cells], Base = "a1b2c3d", Head = "d4e5f6a", Seed = 7 });

        static string Id(int index) => string.Create(CultureInfo.InvariantCulture, $"c{index:000}");
    }

    public static Comparison Of(IReadOnlyList<ComparedMetric> figures, VerdictCounts counts) => new()
    {
        Session = "2026-03-01-a1b2",
        Plan = "sha256:" + new string('5', 64),
        Policy = new PolicyUsed(new Policy(), "journal"),
        Summary = counts,
        Cells = figures,
    };

    public static ComparedMetric Figures(string cell) => new()
    {
        Cell = cell,
        Arm = "head",
        Reference = "base",
        Metric = "time",
        Primary = true,
        Unit = "s",
        Rounds = 20,
        Stage = Stage.Confirm,
    };

    public static Launch Failed(string cell, int round, string? tail) => new()
    {
        Cell = cell,
        Stage = Stage.Screen,
        Round = round,
        Position = 0,
        Arm = "head",
        Started = DateTimeOffset.UnixEpoch,
        WallSeconds = 1,
        Outcome = Outcome.Failed,
        ExitCode = 134,
        Tail = tail,
    };

    public static Cell Cell(string id, string workload, string runtime, string pgo) => new()
    {
        Id = id,
        Workload = workload,
        Dimensions = new Dictionary<string, string>(StringComparer.Ordinal) { ["runtime"] = runtime, ["pgo"] = pgo, ["gc"] = "workstation" },
        Parameters = new Dictionary<string, string>(StringComparer.Ordinal) { ["documents"] = "1000" },
        Arms = [Arm("base", "newtonsoft@12.0.3"), Arm("head", "newtonsoft@13.0.3")],
        Metrics = [new Metric("time", "s", Better.Lower, Primary: true)],
    };

    private static Cell OneArmCell(string id, string runtime) =>
        Cell(id, "json-round-trip", runtime, "on") with { Arms = [Arm("head", "newtonsoft@13.0.3")] };

    private static Arm Arm(string id, string framework) => new() { Id = id, Dimensions = new Dictionary<string, string>(StringComparer.Ordinal) { ["framework"] = framework } };

    private static ComparedMetric Screened(string cell) => Figures(cell) with { Rounds = 8, Stage = Stage.Screen };

    private static ComparedMetric Exact(string cell, double reference, double arm) => Figures(cell) with
    {
        Metric = "allocated",
        Primary = false,
        Unit = "B/doc",
        ReferenceValue = reference,
        ArmValue = arm,
        Change = (arm / reference) - 1,
        Equal = reference.Equals(arm),
    };
}
