using System.Globalization;
using System.Runtime.InteropServices;
using PerfLab.Building;
using PerfLab.Building.Tools;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;
using PerfLab.Launching;

namespace PerfLab.EvidenceCost;

/// <summary>Real builds, launched as the lab launches them.</summary>
internal static class Bench
{
    public static string Where => string.Create(CultureInfo.InvariantCulture,
        $"{DateTimeOffset.UtcNow:yyyy-MM-dd}, {Cpu()}, {Environment.ProcessorCount} cores (shared VM), {RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}");

    public static async Task<Build> BuildAsync(string workload, string project, string patch)
    {
        var version = Version.Parse(patch);
        var folder = Path.GetFullPath(Path.Combine("workloads", workload));
        var builder = new Builder(Path.GetFullPath(".perf-lab/builds"), new DotnetCli()) { KitProject = Path.GetFullPath("workloads/kit/PerfLab.WorkloadKit.csproj") };
        var result = await builder.BuildAsync(
            new() { Workload = workload, Folder = folder, Kind = BuildKind.Dotnet, Project = project, TargetFramework = $"net{version.Major}.0", RuntimePatch = patch },
            CancellationToken.None);
        return result.Build ?? throw new InvalidOperationException(result.Failure ?? result.Unavailable);
    }

    public static LaunchSpec Spec(Build build, string program, IEnumerable<KeyValuePair<string, string>> own, params KeyValuePair<string, string>[] files)
    {
        var knobs = KnobSetting.Settle(null, 2, new Dictionary<string, string>(StringComparer.Ordinal)).Values;
        return new()
        {
            Session = "evidence-cost",
            Build = build,
            Command = [program],
            Environment =
            [
                new("PATH", "/usr/bin:/bin"), new("HOME", "/tmp"), new("LANG", "C.UTF-8"), new("PERF_LAB_NONCE", "0"),
                .. KnobSetting.Environment(knobs, alsoComPlus: false), .. own,
            ],
            OutFiles = files,
            Resources = new Resources(2, 1L << 30, 256),
            Timeout = TimeSpan.FromMinutes(3),
        };
    }

    public static double Quantile(IEnumerable<double> values, double share)
    {
        var sorted = values.Order().ToArray();
        var place = share * (sorted.Length - 1);
        var below = (int)place;
        return sorted[below] + ((place - below) * (sorted[Math.Min(below + 1, sorted.Length - 1)] - sorted[below]));
    }

    private static string Cpu() => File.Exists("/proc/cpuinfo")
        ? File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))?.Split(':')[1].Trim() ?? "unknown CPU"
        : "unknown CPU";
}
