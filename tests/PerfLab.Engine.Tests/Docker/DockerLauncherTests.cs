using PerfLab.Engine.Tests.Support;
using PerfLab.Launching;

namespace PerfLab.Engine.Tests.Docker;

public sealed class DockerLauncherTests(EngineFixture engine)
{
    [Fact]
    public async Task A_script_runs_sealed_and_leaves_its_result_in_the_file_that_it_was_told()
    {
        await using var launches = Launches.On(engine);
        var end = await launches.RunAsync("echo \"$PERF_LAB_RESULT as $(id -u)\" > \"$PERF_LAB_RESULT\"");
        end.Reason.ShouldBeNull();
        end.How.ShouldBe(EndKind.Exited);
        end.ExitCode.ShouldBe(0);
        (await File.ReadAllTextAsync(end.ResultFile)).ShouldBe("/out/result.json as 65532\n");
        end.WallSeconds.ShouldBeGreaterThan(0);
        end.Evidence["peakMemoryBytes"]!.GetValue<long>().ShouldBeGreaterThan(100_000);
    }
}
