using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Proof;
using PerfLab.Profiling;

namespace PerfLab.Runner.Explaining;

/// <summary>Launches an arm with samples and stacks on, and reads what it left.</summary>
internal sealed class ProfiledLaunches(TracedLaunches traced)
{
    public async Task<ProfileReading> LaunchAsync(PlannedCell cell, PlannedArm arm, int pad, CancellationToken cancellationToken)
    {
        var launch = await traced.LaunchAsync(cell, arm, TraceVariables.Profile, cancellationToken, pad);
        if (launch.Judged.Outcome != Outcome.Measured)
        {
            return new(null, launch.Judged.Reason ?? Invariant($"exit code {launch.End.ExitCode}"));
        }

        // A launch may start processes beside the one that does the work; that one leaves the most.
        var (place, largest) = launch.Traces.Index().OrderByDescending(trace => new FileInfo(trace.Item).Length).FirstOrDefault();
        return largest is null ? new(null, launch.Doubts[0])
            // The measured part is the end of a launch: the end of half a trace is warm-up, and would be a profile all the same.
            : launch.Readings.ElementAtOrDefault(place)?.Problem is { } broken ? new(null, broken)
            : UnitSeconds(cell, launch.Judged) is not { } unit
                ? new(null, "its primary metric is neither a time nor a rate, so there is no unit of work")
            : await TraceProfile.ReadAsync(largest, new(unit, cell.Launch.MeasureSeconds), cancellationToken);
    }

    private static double? UnitSeconds(PlannedCell cell, JudgedLaunch judged)
    {
        var metric = cell.Metrics.First(metric => metric.Primary);
        var value = judged.Metrics.GetValueOrDefault(metric.Name);
        return !(value > 0) ? null
            : metric.Unit.EndsWith("/s", StringComparison.Ordinal) ? 1 / value
            : metric.Unit.Split('/')[0] switch
            {
                "s" => value,
                "ms" => value / 1e3,
                "us" or "µs" => value / 1e6,
                "ns" => value / 1e9,
                _ => null,
            };
    }
}
