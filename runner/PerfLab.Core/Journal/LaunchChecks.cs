using PerfLab.Core.Model;

namespace PerfLab.Core.Journal;

/// <summary>Holds the launches of a cell against the session record: there are many, so names are looked up only once.</summary>
internal sealed class LaunchChecks(Cell cell)
{
    private readonly Dictionary<string, int> _arms = cell.Arms.Index().ToDictionary(arm => arm.Item.Id, arm => arm.Index, StringComparer.Ordinal);
    private readonly HashSet<string> _metrics = [.. cell.Metrics.Select(metric => metric.Name)];
    private readonly string _primary = cell.PrimaryMetric.Name;
    private readonly HashSet<long> _seen = [];

    public void Check(Launch launch)
    {
        if (!_arms.TryGetValue(launch.Arm, out var arm))
        {
            throw Bad("has no arm of that name.");
        }

        // Stage and attempt take three bits.
        if (!_seen.Add(((long)launch.Round << 32) | (uint)((arm << 3) + (launch.Attempt << 1) + (int)launch.Stage)))
        {
            throw Bad(Invariant($"launches arm '{UntrustedText.Line(launch.Arm)}' twice in one attempt of round {launch.Round}."));
        }

        foreach (var (name, _) in launch.Metrics)
        {
            if (!_metrics.Contains(name))
            {
                throw Bad("does not declare one of the metrics.");
            }
        }

        if (launch.Outcome == Outcome.Measured && !launch.Metrics.ContainsKey(_primary))
        {
            throw Bad($"has a measured launch without the primary metric '{UntrustedText.Line(_primary)}'.");
        }

        // Two ways of pairing are two kinds of noise: a row has one of them.
        if (launch.Outcome == Outcome.Measured && (launch.Turns is null) != (cell.Turns is null))
        {
            throw Bad(cell.Turns is null ? "has slices of a launch that took no turns."
                : "has a measured launch without the slices of its turns.");
        }

        if (launch.Turns is { } slices && cell.Turns is { } turns && (slices.Work is null) != turns.ByClock)
        {
            throw Bad(turns.ByClock ? "has work of slices that the clock cut." : "has slices without the work that was done in them.");
        }

        if (launch.Outcome != Outcome.Measured && launch.Metrics.Count > 0)
        {
            throw Bad("has metrics of a launch that was not measured.");
        }
    }

    private BadRecordException Bad(string what) => new($"cell '{UntrustedText.Line(cell.Id)}' {what}");
}
