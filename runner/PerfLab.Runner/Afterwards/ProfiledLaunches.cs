using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Launching.Proof;
using PerfLab.Profiling;

namespace PerfLab.Runner.Afterwards;

/// <summary>Launches an arm with samples and stacks on, and reads what it left.</summary>
internal sealed class ProfiledLaunches(TracedLaunches traced, PilotLaunches pilots)
{
    /// <summary>
    /// Before the first launch of a benchmark of BenchmarkDotNet: how much it does, so that it is the benchmark that is looked at, and not
    /// BenchmarkDotNet looking for that.
    /// </summary>
    /// <returns>Why it could not be found out; null when it was, or need not be.</returns>
    public async Task<string?> PilotProblemAsync(PlannedCell cell, CancellationToken cancellationToken) =>
        await pilots.FailureAsync(cell, cancellationToken) is { } failed
            ? $"the pilot launch failed: {failed.Judged.Reason ?? Invariant($"exit code {failed.End.ExitCode}")}"
            : null;

    public async Task<ProfileReading> LaunchAsync(PlannedCell cell, PlannedArm arm, int pad, CancellationToken cancellationToken)
    {
        var launch = await traced.LaunchAsync(cell, arm, TraceVariables.Profile, cancellationToken, pad, pilots.Of(cell));
        if (launch.Judged.Outcome != Outcome.Measured)
        {
            return new(null, launch.Judged.Reason ?? Invariant($"exit code {launch.End.ExitCode}"));
        }

        // A launch may start processes beside the one that does the work; that one leaves the most.
        var (place, largest) = launch.Traces.Index().OrderByDescending(trace => new FileInfo(trace.Item).Length).FirstOrDefault();
        return largest is null ? new(null, launch.Doubts[0])
            : TraceProfile.Unreadable(new FileInfo(largest).Length) is { } unreadable ? new(null, unreadable)
            // The measured part is the end of a launch: the end of half a trace is warm-up, and would be a profile all the same. And
            // an arm that lost events would seem to do less.
            : launch.Readings.ElementAtOrDefault(place)?.Doubt is { } broken ? new(null, broken)
            : UnitSeconds(cell.Metrics.First(metric => metric.Primary), MeasuredSeconds(cell, launch.Judged), launch.Judged) is not { } unit
                ? new(null, "its primary metric is neither a rate nor the time of the work, and it does not count its work")
            : await TraceProfile.ReadAsync(largest, new(unit, MeasuredSeconds(cell, launch.Judged)), cancellationToken);
    }

    private static double MeasuredSeconds(PlannedCell cell, JudgedLaunch judged) =>
        judged.MeasuredSeconds is > 0 and var seconds ? seconds : cell.Launch.MeasureSeconds;

    /// <summary>Seconds in which the launch did one unit of its work; null where it does not say what that is.</summary>
    internal static double? UnitSeconds(Metric metric, double measured, JudgedLaunch judged)
    {
        var value = judged.Metrics.GetValueOrDefault(metric.Name);
        if (!(value > 0))
        {
            return null;
        }

        if (metric.Unit.EndsWith("/s", StringComparison.Ordinal))
        {
            return 1 / value;
        }

        double? seconds = metric.Unit.Split('/')[0] switch
        {
            "s" => value,
            "ms" => value / 1e3,
            "us" or "µs" => value / 1e6,
            "ns" => value / 1e9,
            _ => null,
        };
        // A time for one of something, or that of all that was measured, is the work's. Any other is a latency: where load comes at a fixed
        // rate it grows, and as much is done.
        return seconds is not null && (metric.Unit.Contains('/', StringComparison.Ordinal) || seconds > measured / 2) ? seconds
            : ProcessorTime.Units(judged.Evidence) is { } units ? measured / units : null;
    }
}
