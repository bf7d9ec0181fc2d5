using System.Diagnostics;
using PerfLab.Calibration.Years;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Trends;

namespace PerfLab.Calibration;

/// <summary>G9, the same input gives the same bytes; G10, what a report says of A/A runs; G11, how fast the pure part is, on the machine that asks.</summary>
public static class Determinism
{
    public static IEnumerable<FigureRow> Same(Run run)
    {
        var session = SpeedProbe.Session(50, run.Seed);
        yield return Row("comparison.json of 50 cells, written twice", Comparison.File.Write(Compare(session)) == Comparison.File.Write(Compare(session)));
        yield return Row("trend.json of a made-up year, replayed twice", Last(run.Seed) == Last(run.Seed));
        static FigureRow Row(string name, bool same) => new("G9", name, "the same bytes", same ? 100 : 0, null, same);
    }

    public static IEnumerable<FigureRow> AaRate(Run run)
    {
        var session = SpeedProbe.Session(5, run.Seed);
        yield return Row("before the first A/A run", Reports.Report.From(Compare(session)).FalseFlagBudget.Contains("not yet measured", StringComparison.Ordinal));
        var measured = Reports.Report.From(Compare(session) with { FalseFlags = FalseFlags.Of(1, 90) }).FalseFlagBudget;
        yield return Row("1 flag in 90 runs, with the exact interval", measured.Contains("1 false flag in 90 runs (true rate between 0.03 % and 6.0 %", StringComparison.Ordinal));
        static FigureRow Row(string name, bool said) => new("G10", name, "every report says it", said ? 100 : 0, null, said);
    }

    public static IEnumerable<FigureRow> Speed(Run run)
    {
        if (run.Size != Size.Full)
        {
            yield break;
        }

        var session = SpeedProbe.Session(500, run.Seed);
        Compare(session);
        var clock = Stopwatch.StartNew();
        Comparison.File.Write(Compare(session));
        yield return new("G11", "500 cells x 28 rounds compared and written, seconds (of the process with start and report: benchmarks/compare-speed)", "< 1", clock.Elapsed.TotalSeconds, null, clock.Elapsed.TotalSeconds < 1);
        var lab = SpeedProbe.Trend(10_000, 365, run.Seed);
        clock.Restart();
        var state = TrendLook.Look(lab, null, (_, _, _) => null);
        TrendState.File.Write(state);
        yield return new("G11", "10,000 series x 365 points looked at, seconds", "< 10", clock.Elapsed.TotalSeconds, null, clock.Elapsed.TotalSeconds < 10);
        yield return new("G11", "memory after it, MiB", "no aim: for comparison", GC.GetTotalMemory(forceFullCollection: false) / (1024.0 * 1024), null, true);
    }

    private static Comparison Compare(SampleSet session) => Comparer.Compare(session, new(new(), "defaults"));

    private static string Last(ulong seed) => TrendState.File.Write(Year.Replay(new() { Seed = seed, Series = 40 }).Last);
}
