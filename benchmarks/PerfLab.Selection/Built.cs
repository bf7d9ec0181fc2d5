using PerfLab.Building;
using PerfLab.Core.Planning.Plans;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Sessions;

namespace PerfLab.Selection;

/// <summary>A plan whose arms are built.</summary>
internal sealed record Built(RunPlan Plan, ArmBuilds Builds)
{
    /// <summary>From plan.json, with builds.json beside it.</summary>
    public static Built Read(string plan)
    {
        var path = Path.GetFullPath(plan);
        var read = PlanStep.Read(path);
        return new(read, BuildsFile.Read(Path.Combine(Path.GetDirectoryName(path)!, "builds.json"), read));
    }
}
