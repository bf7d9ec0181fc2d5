using PerfLab.Building;

namespace PerfLab.Workload.Tests.Building;

/// <summary>The same source, laid out differently in memory.</summary>
public class LayoutTests(Lab lab)
{
    [Fact]
    public void a_layout_is_the_same_text_each_time_and_another_number_is_another_text()
    {
        LayoutSource.Of(7).ShouldBe(LayoutSource.Of(7));
        LayoutSource.Of(7).Length.ShouldNotBe(LayoutSource.Of(8).Length);
        LayoutSource.Of(7).Split("private static int M").Length.ShouldBe(65);
    }

    [Fact]
    public async Task a_layout_is_a_build_of_its_own_that_runs()
    {
        Nightly.Only("40 seconds");
        var manifest = Manifest.Of("calibrated-spin");
        var plain = await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0"));
        var moved = await lab.BuiltAsync(Lab.Recipe(manifest, "net10.0", ("PerfLabLayout", "7")));
        moved.Identity.ShouldNotBe(plain.Identity);
        ResultShape.ShouldFit(await ShortLaunch.RunAsync(moved, manifest.Command), manifest);
    }
}
