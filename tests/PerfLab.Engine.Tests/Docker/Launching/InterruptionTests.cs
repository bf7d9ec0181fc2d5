using PerfLab.Engine.Tests.Support;
using PerfLab.Launching;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Engine.Tests.Docker.Launching;

public sealed class InterruptionTests(EngineFixture engine)
{
    [Fact]
    public async Task Cancelling_removes_the_container_and_then_throws()
    {
        await using var launches = Launches.On(engine);
        using var cancel = new CancellationTokenSource();
        var launch = launches.RunAsync("sleep 1000", cancellationToken: cancel.Token);
        await StartedAsync(launches, launch);
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
        var id = await StartedAsync(launches, launch);
        using var client = engine.Client();
        await client.KillContainerAsync(id, CancellationToken.None);
        (await launch).How.ShouldBe(EndKind.KilledFromOutside);
    }

    [Fact]
    public async Task A_removal_by_somebody_else_voids_the_round()
    {
        await using var launches = Launches.On(engine);
        var launch = launches.RunAsync("sleep 1000");
        var id = await StartedAsync(launches, launch);
        using var client = engine.Client();
        await client.RemoveContainerAsync(id, CancellationToken.None);
        var end = await launch;
        end.How.ShouldBe(EndKind.KilledFromOutside);
        (await ContainersAsync(launches)).ShouldBeEmpty();
    }

    /// <summary>Waits until the launch's container runs; a launch that ends before is the failure, in its own words.</summary>
    private async Task<string> StartedAsync(Launches launches, Task<LaunchEnd> launch)
    {
        using var client = engine.Client();
        while (!launch.IsCompleted)
        {
            foreach (var id in await ContainersAsync(launches))
            {
                if (await IsRunningAsync(client, id))
                {
                    return id;
                }
            }

            await Task.Delay(50);
        }

        var end = await launch;
        throw new ShouldAssertException($"The launch ended before its container was seen running: {end.How}, {end.Reason}");
    }

    private static async Task<bool> IsRunningAsync(EngineClient client, string id)
    {
        try
        {
            return (await client.InspectContainerAsync(id, CancellationToken.None)).State.Running;
        }
        catch (EngineException gone) when (gone.Status == System.Net.HttpStatusCode.NotFound)
        {
            return false; // between the list and this question: why, the launch says
        }
    }

    private async Task<IReadOnlyList<string>> ContainersAsync(Launches launches)
    {
        using var client = engine.Client();
        return [.. (await client.ListContainersAsync("perf-lab.run=" + launches.Session, CancellationToken.None))
            .Where(container => container.Labels["perf-lab.kind"] == "launch").Select(container => container.Id)];
    }
}
