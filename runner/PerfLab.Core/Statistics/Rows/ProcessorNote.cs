using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>What a row that is too noisy says when its processor time is not.</summary>
internal static class ProcessorNote
{
    public static ComparedMetric[] Added(ComparedMetric[] rows, Policy policy)
    {
        var processor = rows.Where(row => row.Metric == ProcessorTime.Metric && row.Noise <= policy.TooNoisy && row.Low is not null)
            .ToDictionary(row => (row.Cell, row.Arm));
        return [.. rows.Select(row => row.Verdict == Verdict.TooNoisy && processor.TryGetValue((row.Cell, row.Arm), out var steadier)
            ? row with { Warnings = [.. row.Warnings, Sentence(steadier)] } : row)];
    }

    private static string Sentence(ComparedMetric row) =>
        Invariant($"its processor time per unit of work is steadier: noise {100 * row.Noise!.Value:0.0} %, change ")
        + Invariant($"{100 * row.Change!.Value:+0.0;-0.0;0.0} % [{100 * row.Low!.Value:+0.0;-0.0;0.0}, {100 * row.High!.Value:+0.0;-0.0;0.0}]; ")
        + $"a workload that reports {ProcessorTime.Metric} may declare it its primary metric";
}
