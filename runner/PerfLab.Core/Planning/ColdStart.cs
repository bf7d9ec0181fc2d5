using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Core.Planning;

/// <summary>What can be wrong with `age`, which only the kit can set: it begins to measure at once when it is given no warm-up.</summary>
internal static class ColdStart
{
    /// <summary>A workload may have a parameter of that name, which is its own affair.</summary>
    public static bool IsKnownTo(Workload workload) =>
        workload is { Build.Kind: BuildKind.Dotnet, Result: ResultFormat.PerfLab } && WorkloadDimensions.HasOurAge(workload);

    /// <summary>The arms differ in it, or are said to.</summary>
    public static Problem InArms(Workload workload) => IsKnownTo(workload)
        ? new("arms", "a start-up is compared with a start-up, so 'age' is the same for all arms.",
            "Leave 'age' out of the arms; --age cold measures the start-up of each.")
        : NeedsKit([workload]);

    /// <summary>None of the workloads can be measured so.</summary>
    public static Problem NeedsKit(IReadOnlyList<Workload> workloads)
    {
        var names = string.Join(", ", workloads.Take(3).Select(workload => workload.Name)) + (workloads.Count > 3 ? ", …" : "");
        return new("--age",
            $"measures the start-up of programs that are built with the kit, and {names} {(workloads.Count == 1 ? "is" : "are")} not.",
            workloads.All(workload => workload.IsBenchmarkDotNet())
                ? "Leave it out, and give the benchmark [SimpleJob(RunStrategy.ColdStart)]."
                : "Leave it out: a script decides itself when it begins to measure. "
                    + "It is told the warm-up of its workload.yaml (`launch: { warm-up: 0s }`) in PERF_LAB_WARM_UP.");
    }
}
