using PerfLab.Core.Model;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>Bytes that a unit of work allocates, where a launch counts them: the one metric that a busy machine measures as well as a
/// quiet one.</summary>
public static class Allocations
{
    /// <summary>
    /// From so many launches a side on, that no launch of one arm gave what one of the other gave is luck in 2 of 252 orders of equal
    /// builds, which is less than the error that a family of tests may make. With fewer, nobody knows whether the bytes vary.
    /// </summary>
    public const int LeastRounds = 5;

    /// <summary>Whether the row is about them. One that is measured by samples, not counted, has no verdict.</summary>
    public static bool IsOf(ComparedMetric row) =>
        row is { Metric: BenchmarkCases.Allocated, Equal: not null, ReferenceValue: not null, ArmValue: not null };

    /// <summary>
    /// By how much the arm allocates more, in the unit of the row, negative for less; 0 when it is the same or can't be told.
    /// </summary>
    public static double Moved(ComparedMetric row) => IsOf(row) && row.Equal == false && row.Rounds >= LeastRounds
        ? row.ArmValue!.Value - row.ReferenceValue!.Value : 0;
}
