using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>
/// Whether whoever sent the load was as busy as what was measured: a row like that says more about the sender. Known by a metric of the
/// workload's that is called <c>client-share</c>, or that and a prefix of its mode.
/// </summary>
public static class ClientBound
{
    /// <summary>The label: how the warning begins, and what the report puts behind the verdict.</summary>
    public const string Label = "client-bound";

    /// <summary>The metric: of its cores, the share that the busiest sender used, 0 to 1.</summary>
    public const string Metric = "client-share";

    /// <summary>Above it a sender waits for its own cores often enough that its latencies are not the other side's.</summary>
    public const double Share = 0.7;

    /// <summary>For the row of the primary metric.</summary>
    public static IEnumerable<string> OfPrimary(string arm, IReadOnlyList<Launch> launches)
    {
        double[] shares =
            [.. launches.SelectMany(launch => launch.Metrics).Where(value => IsShare(value.Key)).Select(value => value.Value)];
        if (shares.Length > 0 && Median.Of(shares) is var share && share > Share)
        {
            yield return Invariant($"{Label}: the busiest sender of arm {arm} used {100 * share:0} % of its cores (median of {shares.Length} launches): ")
                + "the values say as much about the sender; give it more cores, or send less";
        }
    }

    private static bool IsShare(string metric) => metric == Metric || metric.EndsWith("-" + Metric, StringComparison.Ordinal);
}
