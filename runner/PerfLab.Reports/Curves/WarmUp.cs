using PerfLab.Core.Model;
using PerfLab.Reports.Text;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Reports.Curves;

/// <summary>One window, over all launches of an arm: when it was in the middle, and the quartiles of the rate.</summary>
public sealed record WarmUpWindow(double Seconds, double Low, double Middle, double High)
{
    /// <summary>Methods compiled in it, median over launches; null where the runtime can't tell.</summary>
    public double? Compiled { get; init; }
}

/// <summary>How one arm came up to speed.</summary>
/// <param name="Name">The arm's values, "pgo on". Untrusted.</param>
/// <param name="Windows">From the start of the warm-up on.</param>
/// <param name="Steady">Of these, the ones that came to rest.</param>
/// <param name="TimeToSteady">Median in seconds; null when half of the launches or more never got there.</param>
public sealed record WarmUpLine(string Name, IReadOnlyList<WarmUpWindow> Windows, int Launches, int Steady, double? TimeToSteady)
{
    /// <summary>Of so many launches every window is kept: what a median hides (a pause, a late change of level) is seen in single ones.</summary>
    public const int MostSingle = 3;

    /// <summary>The first launches one by one, their windows like <see cref="Windows"/>.</summary>
    public IReadOnlyList<IReadOnlyList<(double Seconds, double Rate)>> Single { get; init; } = [];
}

/// <summary>The rate of work over the time of a launch, warm-up included, for the arms of one cell.</summary>
public sealed record WarmUp
{
    /// <summary>"warm-up-c001": the picture's name.</summary>
    public required string Name { get; init; }

    /// <summary>Id of its cell. Untrusted.</summary>
    public required string CellId { get; init; }

    /// <summary>"channel-actors, net10.0.14, batch 30". Untrusted.</summary>
    public required string Cell { get; init; }

    /// <summary>Unit of the rates: the primary metric's when that is a rate, else "pieces/s". Untrusted.</summary>
    public required string Unit { get; init; }

    /// <summary>When measuring began, in seconds.</summary>
    public required double WarmUpSeconds { get; init; }
    public required IReadOnlyList<WarmUpLine> Lines { get; init; }

    /// <summary>One for each cell whose launches kept windows, in plan order.</summary>
    public static IReadOnlyList<WarmUp> Of(SampleSet measured)
    {
        var samples = SteadyLaunches.Judged(measured);
        var launches = samples.Launches.Where(launch => launch.Steady is not null).ToLookup(launch => launch.Cell, StringComparer.Ordinal);
        return [.. samples.Header.Cells.Where(cell => launches[cell.Id].Any()).Select(cell => Of(cell, [.. launches[cell.Id]], Varying(samples, cell.Workload)))];
    }

    /// <summary>Parameters that tell the workload's cells apart; the others need no room in a title.</summary>
    private static List<string> Varying(SampleSet samples, string workload) =>
        [.. samples.Header.Cells.Where(cell => cell.Workload == workload).SelectMany(cell => cell.Parameters).Distinct()
            .GroupBy(pair => pair.Key, StringComparer.Ordinal).Where(values => values.Skip(1).Any()).Select(values => values.Key).Order(StringComparer.Ordinal)];

    private static WarmUp Of(Cell cell, IReadOnlyList<Launch> launches, List<string> varying)
    {
        var unit = cell.PrimaryMetric.Unit;
        var names = new[] { "runtime", "pgo", "framework" }.Concat(varying);
        return new()
        {
            Name = PictureName.Of("warm-up", cell.Id),
            CellId = cell.Id,
            Cell = string.Join(", ", new[] { cell.Workload, SweepPoint.Of(cell).First().Label(names.Where(name => !cell.Reference.Dimensions.ContainsKey(name))) }.Where(part => part.Length > 0)),
            Unit = unit.EndsWith("/s", StringComparison.Ordinal) ? unit : "pieces/s",
            WarmUpSeconds = Median.Of(launches.Select(launch => launch.Steady!.WarmUp)),
            Lines = [.. cell.Arms.Select(arm => Line(arm.Id, ArmName.InWords(cell, arm), [.. launches.Where(launch => launch.Arm == arm.Id)])).Where(line => line.Launches > 0)],
        };
    }

    private static WarmUpLine Line(string arm, string name, IReadOnlyList<Launch> launches)
    {
        WindowSeries[] series = [.. launches.Select(launch => WindowSeries.From(launch.Evidence)).OfType<WindowSeries>()];
        var shortest = series.Select(one => one.Rates.Count).DefaultIfEmpty(0).Min();
        double[] times = [.. launches.Select(launch => launch.Steady!).Select(state => state.Seconds ?? double.PositiveInfinity)];
        var steady = times.Count(double.IsFinite);
        return new(
            name.Length > 0 ? name : arm,
            [.. Enumerable.Range(0, shortest).Select(window => Window(series, window))],
            launches.Count, steady, 2 * steady > times.Length ? Median.Of(times) : null)
        {
            Single = [.. series.Take(WarmUpLine.MostSingle).Select(one => (IReadOnlyList<(double, double)>)
                [.. Enumerable.Range(0, shortest).Select(window => (Middle(one, window), one.Rates[window]))])],
        };
    }

    private static double Middle(WindowSeries series, int window) => (series.Start(window) + series.Ends[window]) / 2;

    private static WarmUpWindow Window(WindowSeries[] series, int window)
    {
        double[] rates = [.. series.Select(one => one.Rates[window]).Order()];
        // The quarter on each side left out: with four launches the extremes, with twenty the five outermost.
        var quarter = rates.Length / 4;
        int[] compiled = [.. series.Where(one => one.Compiled.Count > window).Select(one => one.Compiled[window])];
        return new(Median.Of(series.Select(one => Middle(one, window))), rates[quarter], Median.OfSorted(rates), rates[^(quarter + 1)])
        {
            Compiled = compiled.Length > 0 ? Median.Of(compiled.Select(methods => (double)methods)) : null,
        };
    }
}
