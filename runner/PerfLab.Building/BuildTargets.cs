using PerfLab.Building.Tools;

namespace PerfLab.Building;

/// <summary>The MSBuild file that goes into every project of a build; it travels inside the runner.</summary>
internal static class BuildTargets
{
    public static string Text { get; } = EmbeddedText.Read("perf-lab.build.targets");
}
