using PerfLab.Engine.Tests.Support;
using PerfLab.Runner.Execution;

namespace PerfLab.Engine.Tests.Docker.Launching;

public sealed class InterruptionTests(EngineFixture engine)
{
    [Fact]
    public async Task Cancelling_removes_the_container_and_then_throws()
    {
        await using var launches = Launches.On(engine);
        using var cancel = new CancellationTokenSource();
        var launch = launches.RunAsync("sleep 1000", cancellationToken: cancel.Token);
        await StartedAsync(launches);
        await cancel.CancelAsync();
        await Should.ThrowAsync<OperationCanceledException>(launch);
        (await ContainersAsync(launches)).ShouldBeEmpty();
    }

    [Fact]
    public async Task Cancelled_before_it_began_a_launch_leaves_nothing()
    {
        await using var launches = Launches.On(engine);
        var build = launches.Script("sleep 1000");
        await launches.Launcher.PrepareAsync([build], CancellationToken.None);
        await Should.ThrowAsync<OperationCanceledException>(
            launches.Launcher.LaunchAsync(launches.Spec(build), new CancellationToken(canceled: true)));
        (await ContainersAsync(launches)).ShouldBeEmpty();
    }

    [Fact]
    public async Task A_kill_by_somebody_else_voids_the_round()
    {
        await using var launches = Launches.On(engine);
        var launch = launches.RunAsync("sleep 1000");
        var id = await StartedAsync(launches);
        using var client = engine.Client();
        await client.KillContainerAsync(id, CancellationToken.None);
        (await launch).How.ShouldBe(EndKind.KilledFromOutside);
    }

    [Fact]
    public async Task A_removal_by_somebody_else_voids_the_round()
    {
        await using var launches = Launches.On(engine);
        var launch = launches.RunAsync("sleep 1000");
        var id = await StartedAsync(launches);
        using var client = engine.Client();
        await client.RemoveContainerAsync(id, CancellationToken.None);
        var end = await launch;
        end.How.ShouldBe(EndKind.KilledFromOutside);
        (await ContainersAsync(launches)).ShouldBeEmpty();
    }

    private async Task<string> StartedAsync(Launches launches)
    {
        using var client = engine.Client();
        while (true)
        {
            foreach (var container in await client.ListContainersAsync("perf-lab.run=" + launches.Session, CancellationToken.None))
            {
                if ((await client.InspectContainerAsync(container.Id, CancellationToken.None)).Running)
                {
                    return container.Id;
                }
            }

            await Task.Delay(50);
        }
    }

    private async Task<IReadOnlyList<string>> ContainersAsync(Launches launches)
    {
        using var client = engine.Client();
        return [.. (await client.ListContainersAsync("perf-lab.run=" + launches.Session, CancellationToken.None)).Select(container => container.Id)];
    }
}
