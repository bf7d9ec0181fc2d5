using PerfLab.Building.Templates;

namespace PerfLab.Workload.Tests.Building;

/// <summary>What `new workload` writes builds, passes and reports what it declares, on the oldest and the newest runtime that it claims.</summary>
public class TemplateTests(Lab lab)
{
    [Theory]
    [NightlyData("net8.0", "concat")]
    [InlineData("net10.0", "builder")]
    public async Task a_new_workload_builds_and_passes(string release, string way)
    {
        var folder = Path.Combine(lab.NewFolder(), "fast-parse");
        Directory.CreateDirectory(folder);
        foreach (var (name, text) in WorkloadTemplate.Kit.Of("fast-parse", "./fast-parse"))
        {
            await File.WriteAllTextAsync(Path.Combine(folder, name), text, TestContext.Current.CancellationToken);
        }

        var manifest = Manifest.In(folder);
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, release));
        ResultShape.ShouldFit(await ShortLaunch.RunAsync(build, manifest.Command, ("PERF_LAB_PARAM_WAY", way), ("PERF_LAB_PARAM_LINES", "10")), manifest);
    }
}
