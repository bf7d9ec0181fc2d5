using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Statistics.Steady;

namespace PerfLab.Core.Reporting;

/// <summary>The paired log ratios behind the rows of a report, from the journal.</summary>
internal sealed class PairedRounds(SampleSet? measured)
{
    private readonly Lazy<IReadOnlyDictionary<string, CellLaunches>> _launches = new(() => CellLaunches.ByCell(SteadyLaunches.Judged(measured!)));

    /// <summary>Of rows that moved: for the others, a picture of noise says no more than its figure. In the order of the rounds; empty without a journal.</summary>
    public IReadOnlyList<double> Of(ComparedMetric row)
    {
        if (measured is null || row.Verdict is not (Verdict.Regressed or Verdict.Improved))
        {
            return [];
        }

        var cell = measured.Header.Cells.FirstOrDefault(candidate => candidate.Id == row.Cell);
        var arm = cell?.Arms.FirstOrDefault(candidate => candidate.Id == row.Arm);
        var metric = cell?.Metrics.FirstOrDefault(candidate => candidate.Name == row.Metric);
        return cell is null || arm is null || metric is null ? []
            : LogRatios.Of(new PairEvidence(cell, arm, _launches.Value[cell.Id]).Deciding, metric).Differences;
    }
}
