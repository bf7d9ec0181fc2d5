namespace PerfLab.Workload.Tests.Workloads;

public class RealLaunchTests(Lab lab)
{
    public static TheoryData<string, string> Cells()
    {
        var cells = new TheoryData<string, string>();
        foreach (var workload in new[] { "channel-actors" })
        {
            foreach (var lane in Manifest.Of(workload).Runtimes)
            {
                cells.Add(workload, lane);
            }
        }

        return cells;
    }

    [Theory]
    [MemberData(nameof(Cells))]
    public async Task a_workload_builds_and_answers_on_every_runtime_that_it_claims(string workload, string lane)
    {
        var manifest = Manifest.Of(workload);
        var build = await lab.BuiltAsync(Lab.Recipe(manifest, lane));
        var launch = await ShortLaunch.RunAsync(build, manifest.Command);
        launch.ExitCode.ShouldBe(0, launch.Errors);
        ResultShape.ShouldFit(launch, manifest);
        ((string?)launch.Result!["evidence"]!["framework"]).ShouldBe(".NET " + Lab.PatchOf(lane));
    }
}
