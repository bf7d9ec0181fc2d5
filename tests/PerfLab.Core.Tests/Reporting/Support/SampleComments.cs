using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Reports;

namespace PerfLab.Core.Tests.Reporting.Support;

/// <summary>Comparisons of a library's own benchmarks, as a pull request has them. The figures are made up, to be looked at.</summary>
internal static class SampleComments
{
    private static readonly string[] Types = ["Json", "Csv", "MessageTemplateParsingBenchmarks", "Url"];
    private static readonly string[] Methods = ["Parse", "Write", "Scan", "Split(text: \"a b c\")", "Find(count: 1000)"];

    /// <summary>One row that regressed, measured again minutes later: both sessions agree, and their pooled interval is wide.</summary>
    public static (Comparison Comparison, ReportContext Context) One() => Of([Moved(0, 0.123) with
    {
        Low = 0.013,
        High = 0.246,
        Rounds = 40,
        Sessions = [new(0.110, 0.101, 0.118, 0.0001, 20, true), new(0.131, 0.122, 0.14, 0.0001, 20, true)],
        SessionSpread = 0.019,
    }], [("quiet", "idle")]);

    /// <summary>One regressed, one improved, one too noisy, nine quiet; one of them allocates more.</summary>
    public static (Comparison Comparison, ReportContext Context) Twelve() => Of(
    [
        .. Enumerable.Range(0, 12).SelectMany(row => row switch
        {
            4 => [Moved(row, 0.123), Bytes(row, 64, 64)],
            9 => [Moved(row, -0.31), Bytes(row, 128, 96)],
            6 => [Noisy(row), Bytes(row, 64, 64)],
            2 => [Quiet(row), Bytes(row, 64, 88)],
            _ => new[] { Quiet(row), Bytes(row, 64, 64) },
        }),
    ], [("0.78 % of the processor time went to other machines of this host", "steal"), ("frequency governor: powersave", "governor")]);

    /// <summary>Three regressed, one improved, five without an answer, the others quiet.</summary>
    public static (Comparison Comparison, ReportContext Context) Sixty() => Of([.. Enumerable.Range(0, 60).Select(row => row switch
    {
        7 => Moved(row, 0.087),
        21 => Moved(row, 1.61),
        40 => Moved(row, 0.028),
        33 => Moved(row, -0.056),
        12 or 13 or 14 => Noisy(row),
        50 or 51 => Figures(row) with { Verdict = Verdict.NotSteady, WarmUpSeconds = 6, Noise = 0.2 },
        59 => Figures(row) with { Verdict = Verdict.Failed, Rounds = 2, ArmValue = null },
        _ => Quiet(row),
    })], []);

    /// <summary>One regressed of four that run what changed; nothing that the other 196 run did.</summary>
    public static (Comparison Comparison, ReportContext Context) Untouched() => Of([.. Enumerable.Range(0, 200).Select(row => row switch
    {
        17 => Moved(row, 0.2),
        18 or 19 or 20 => Quiet(row),
        _ => Figures(row) with
        {
            Verdict = Verdict.Untouched,
            Rounds = 0,
            Stage = null,
            ReferenceValue = null,
            ArmValue = null,
            Touched = "none of the 2 changed methods runs in it",
        },
    })], []);

    public static Cell Benchmark(string id, string name) => SampleReports.Cell(id, "library-benchmarks", "net10.0.14", "on") with
    {
        Parameters = new Dictionary<string, string>(StringComparer.Ordinal) { ["benchmark"] = name },
        Arms = [Source("base", 'b'), Source("head", 'a')],
    };

    private static (Comparison Comparison, ReportContext Context) Of(ComparedMetric[] rows, (string Text, string Name)[] warnings)
    {
        var comparison = SampleReports.Of(rows, new VerdictCounts(0, 0, 0, 0, 0, 0, 0, 0));
        return (comparison, new ReportContext
        {
            Cells = [.. rows.Where(row => row.Primary)
                .Select((row, index) => Benchmark(row.Cell, $"My.Library.{Types[index / 5 % 4]}.{Method(index)}"))],
            Machine = "AMD EPYC 7763, CPUs 0-3, Linux 6.12",
            Executor = "docker",
            Started = new DateTimeOffset(2026, 3, 1, 14, 5, 9, TimeSpan.Zero),
            Seed = 7,
            Hygiene = warnings.Length == 0 ? null : new("31 ok, 2 warnings, 0 blocks repeated",
                [.. warnings.Select(one => new HygieneItem(one.Name != "idle", one.Text)), new HygieneItem(false, "SMT: off")]),
        });
    }

    private static string Method(int index) => Methods[index % 5] + (index < 20 ? "" : FormattableString.Invariant($"{index / 20}"));

    private static Arm Source(string id, char digit) => new()
    {
        Id = id,
        Dimensions = new Dictionary<string, string>(StringComparer.Ordinal) { ["source"] = new string(digit, 12) },
    };

    private static ComparedMetric Figures(int row) => SampleReports.Figures(FormattableString.Invariant($"c{row:000}")) with
    {
        ReferenceValue = 0.000012 + (row * 0.000007),
        ArmValue = 0.000012 + (row * 0.000007),
        Noise = 0.006,
    };

    private static ComparedMetric Moved(int row, double change) => Figures(row) with
    {
        ArmValue = (0.000012 + (row * 0.000007)) * (1 + change),
        Change = change,
        Low = change - 0.011,
        High = change + 0.009,
        AdjustedP = 0.0004,
        SmallestDetectable = 0.011,
        Verdict = change > 0 ? Verdict.Regressed : Verdict.Improved,
    };

    private static ComparedMetric Quiet(int row) => Figures(row) with
    {
        Change = 0.001,
        Low = -0.004,
        High = 0.006,
        Rounds = 8,
        SmallestDetectable = 0.011,
        Verdict = row % 2 == 0 ? Verdict.Unchanged : Verdict.Undecided,
    };

    private static ComparedMetric Noisy(int row) => Figures(row) with
    {
        ArmValue = (0.000012 + (row * 0.000007)) * 1.07,
        Change = 0.07,
        Low = -0.11,
        High = 0.241,
        Rounds = 8,
        Noise = 0.094,
        SmallestDetectable = 0.124,
        Verdict = Verdict.TooNoisy,
    };

    private static ComparedMetric Bytes(int row, double from, double to) => Figures(row) with
    {
        Metric = "allocated",
        Primary = false,
        Unit = "B/op",
        ReferenceValue = from,
        ArmValue = to,
        Equal = from.Equals(to),
    };
}
