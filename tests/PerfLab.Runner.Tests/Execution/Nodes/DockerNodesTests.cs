using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Docker;

namespace PerfLab.Runner.Tests.Execution.Nodes;

/// <summary>Who is blamed when containers that share the first one's network fail one after another, without an engine.</summary>
public sealed class DockerNodesTests
{
    private static readonly OutVolume[] Outs = [new("v0", ("keeper", "/out0"), "/nowhere/0"), new("v1", ("keeper", "/out1"), "/nowhere/1")];

    // An engine under load is asked for the client while the first node dies: "cannot join network of a non running container".
    [Theory]
    [InlineData(true, EndKind.Exited, "sut-0", "oh")]
    [InlineData(false, EndKind.NotStarted, "client-0", "cannot join network")]
    public async Task a_node_that_could_not_join_tells_it_after_the_first_has_ended(bool firstEnds, EndKind how, string spoiledBy, string said)
    {
        var refused = new TaskCompletionSource();
        var ready = false;
        var nodes = new DockerNodes(() => "any", async (launch, place, _, started, stop) =>
        {
            if (place.NetworkOf is not null)
            {
                refused.SetResult();
                return End(EndKind.NotStarted, null, "cannot join network");
            }

            started!();
            ready = true;
            await refused.Task;
            await Task.Delay(firstEnds ? 50 : Timeout.Infinite, stop);
            return End(EndKind.Exited, 3, "oh");
        }, (place, file, _) => Task.FromResult(ready && place.Volume == "v0" && file == NodeVariables.ReadyFile))
        { Patience = TimeSpan.FromSeconds(firstEnds ? 20 : 0.05) };

        var end = await nodes.LaunchAsync(Launch(), new("image", "0", null, "", "owner"), Outs, TestContext.Current.CancellationToken);

        (end.How, end.SpoiledBy, end.Reason).ShouldBe((how, spoiledBy, said));
    }

    private static LaunchEnd End(EndKind how, int? exitCode, string reason) =>
        new() { How = how, ExitCode = exitCode, Reason = reason, WallSeconds = 0, ResultFile = "/nowhere" };

    private static LaunchSpec Launch() => new()
    {
        Session = "test",
        Build = new Build("sha256:test", "/nowhere", NeedsShell: true),
        Command = ["./run.sh"],
        Environment = [],
        Resources = new Resources(1, 256 << 20, 128),
        Timeout = TimeSpan.FromSeconds(20),
        Nodes = [new PlannedNode("sut-0", "sut"), new PlannedNode("client-0", "client")],
    };
}
