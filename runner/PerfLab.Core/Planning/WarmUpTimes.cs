using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Planning;

/// <summary>`--warm-up` against what a workload's launches have time for.</summary>
internal static class WarmUpTimes
{
    public static LaunchTimes Of(Workload workload, BenchmarkRequest request) =>
        request.WarmUpSeconds is { } seconds ? workload.Launch with { WarmUpSeconds = seconds } : workload.Launch;

    /// <summary>A launch that is stopped while it warms up measures nothing, twenty times a row.</summary>
    public static IEnumerable<Problem> Problems(IReadOnlyList<Workload> workloads, BenchmarkRequest request) =>
        request.WarmUpSeconds is null ? []
        : request.Set.ContainsKey(Cell.Age) && workloads.Any(WorkloadDimensions.HasOurAge)
            ? [new("--warm-up", "goes without --age cold, which warms up nothing.", "Leave one of them out.")]
        : OverTheDeadline(workloads, request);

    private static IEnumerable<Problem> OverTheDeadline(IEnumerable<Workload> workloads, BenchmarkRequest request) =>
        from workload in workloads
        let times = Of(workload, request)
        let left = times.TimeoutSeconds - times.MeasureSeconds
        where times.WarmUpSeconds >= left
        select new Problem("--warm-up",
            Invariant($"{times.WarmUpSeconds:0.###} s to warm up and {times.MeasureSeconds:0.###} s to measure are over ")
                + Invariant($"the deadline of {workload.Name}, {times.TimeoutSeconds:0.###} s."),
            Invariant($"Say less than {Math.Max(0, left):0.###}, or a longer `launch.timeout` in its workload.yaml."));
}
