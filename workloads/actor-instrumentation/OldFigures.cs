using System.Globalization;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>
/// What the old benchmark reported beside its rates, as evidence. No metrics: heap growth may be negative and collections none, which have no
/// ratio.
/// </summary>
internal static class OldFigures
{
    /// <param name="launch">Whose evidence it is.</param>
    /// <param name="growth">Bytes that the heap grew by: what was called bytes allocated.</param>
    /// <param name="runs">The measured runs, of which the means count.</param>
    public static void Prove(Launch launch, double growth, IReadOnlyList<Windows> runs)
    {
        launch.Prove("heapGrowthBytes", growth.ToString("F0", CultureInfo.InvariantCulture));
        launch.Prove("gen0", Mean(runs, run => run.Gen0));
        launch.Prove("gen1", Mean(runs, run => run.Gen1));
        launch.Prove("gen2", Mean(runs, run => run.Gen2));
    }

    private static string Mean(IReadOnlyList<Windows> runs, Func<RuntimeDelta, int> count) =>
        runs.Average(run => count(run.Runtime)).ToString("F1", CultureInfo.InvariantCulture);
}
