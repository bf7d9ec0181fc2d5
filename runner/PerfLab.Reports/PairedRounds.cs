using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Reports;

/// <summary>One counted round of a row.</summary>
/// <param name="Round">From 0, within the stage that decides.</param>
/// <param name="Reference">Value of the reference, in the metric's unit.</param>
/// <param name="Arm">Value of the arm, in the same unit.</param>
/// <param name="Difference">Paired log ratio, + is slower or worse.</param>
public sealed record PairedRound(int Round, double Reference, double Arm, double Difference);

/// <summary>What the rounds behind the rows of a report measured, from the journal.</summary>
internal sealed class PairedRounds(SampleSet? measured)
{
    private readonly Lazy<IReadOnlyDictionary<string, CellLaunches>> _launches = new(() => CellLaunches.ByCell(SteadyLaunches.Judged(measured!)));
    private readonly Lazy<Dictionary<string, Cell>> _cells = new(() => measured!.Header.Cells.ToDictionary(cell => cell.Id,
        StringComparer.Ordinal));

    /// <summary>In the order of the rounds; empty without a journal, in a session of one arm, and where values have no ratio.</summary>
    public IReadOnlyList<PairedRound> Of(ComparedMetric row)
    {
        if (row.Reference is null || Find(row) is not var (cell, arm, metric))
        {
            return [];
        }

        var rounds = new PairEvidence(cell, arm, _launches.Value[cell.Id]).Deciding;
        var ratios = LogRatios.Of(rounds, metric);
        return [.. ratios.Differences.Select((difference, index) =>
            new PairedRound(rounds[index].Round, ratios.Reference[index], ratios.Arm[index], difference))];
    }

    /// <summary>The values of a session of one arm, in the order of the rounds; empty when there is a reference.</summary>
    public IReadOnlyList<double> Alone(ComparedMetric row)
    {
        if (row.Reference is not null || Find(row) is not var (cell, arm, metric))
        {
            return [];
        }

        var launches = _launches.Value[cell.Id];
        var stage = launches.Has(arm.Id, Stage.Confirm) ? Stage.Confirm : Stage.Screen;
        return [.. launches.Rounds(stage).Alone(arm.Id).Select(launch => LogRatios.Value(launch, metric)).OfType<double>()];
    }

    private (Cell Cell, Arm Arm, Metric Metric)? Find(ComparedMetric row)
    {
        if (measured is null || _cells.Value.GetValueOrDefault(row.Cell) is not { } cell)
        {
            return null;
        }

        var arm = cell.Arms.FirstOrDefault(candidate => candidate.Id == row.Arm);
        var metric = cell.Metrics.FirstOrDefault(candidate => candidate.Name == row.Metric);
        return arm is null || metric is null ? null : (cell, arm, metric);
    }
}
