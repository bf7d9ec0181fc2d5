using System.Collections.Concurrent;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Engine.Tests.Support;
using PerfLab.Launching;
using PerfLab.Launching.Docker;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Engine.Tests.Docker.Engine;

/// <summary>Whether an engine can pause is tried before the first round in turns, on the container that only sleeps.</summary>
public sealed class PauseTrialTests : IDisposable
{
    private const string Keeper = "keeper";

    private readonly DirectoryInfo _store = Directory.CreateTempSubdirectory("perf-lab-test-");
    private readonly ConcurrentQueue<string> _asked = new();
    private int _launched;

    public void Dispose() => _store.Delete(recursive: true);

    [Theory]
    [InlineData("pause", "500 Internal Server Error", "Cannot pause container keeper: OCI runtime pause failed")]
    [InlineData("pause", "403 Forbidden", "authorization denied by plugin")]
    [InlineData("unpause", "500 Internal Server Error", "Cannot unpause container keeper")]
    public async Task a_refusal_is_told_with_what_the_engine_said_and_what_to_type_before_anything_is_launched(
        string call, string status, string said)
    {
        SkipUnlessItHasAClock();
        await using var fake = Fake(call, FakeAnswer.Of(status, $$"""{"message":"{{said}}"}"""));

        var end = (await RunAsync(fake, rounds: 1)).Single();

        (end.Void, end.Arms.Count, _launched).ShouldBe((null, 2, 0));
        var reason = $"the engine refuses to pause a container, which turns take: {said}; "
            + "measure it with --pairing launches, or with --executor process";
        end.Arms.ShouldAllBe(arm => arm.End.How == EndKind.NotStarted && arm.End.Reason == reason);
    }

    [Fact]
    public async Task an_engine_that_does_not_answer_is_no_engine_that_refuses()
    {
        SkipUnlessItHasAClock();
        await using var fake = Fake("pause", new(""));

        await Should.ThrowAsync<EngineException>(RunAsync(fake, rounds: 1));

        _launched.ShouldBe(0);
    }

    [Fact]
    public async Task an_engine_that_can_is_asked_once_and_only_for_the_container_that_sleeps()
    {
        SkipUnlessItHasAClock();
        await using var fake = Fake("pause", FakeAnswer.Of("204 No Content", ""));

        var ends = await RunAsync(fake, rounds: 2);

        ends.ShouldAllBe(end => !end.Arms[0].End.Reason!.StartsWith("the engine refuses"));
        _asked.Where(line => line.Contains("pause")).Select(line => line.Split(' ')[1].Split('/', 3)[2])
            .ShouldBe([$"containers/{Keeper}/pause", $"containers/{Keeper}/unpause"]);
    }

    [Fact]
    public async Task where_nobody_can_read_the_time_of_a_container_none_is_paused()
    {
        await using var fake = Fake("pause", FakeAnswer.Of("204 No Content", ""), pid: 4194305); // no process has that number

        var end = (await RunAsync(fake, rounds: 1)).Single();

        end.Arms.ShouldAllBe(arm => arm.End.Reason!.Contains("nobody can prove that it stood still; measure it with --pairing launches"));
        _asked.ShouldNotContain(line => line.Contains("pause"));
        _launched.ShouldBe(0);
    }

    /// <summary>Two arms, round after round, whose containers can't be started.</summary>
    private async Task<IReadOnlyList<TurnsEnd>> RunAsync(FakeEngine fake, int rounds)
    {
        using var engine = new EngineClient(fake.Endpoint);
        using var home = new OutHome(_store.FullName, Owner.ThisProcess());
        var turns = new DockerTurns(engine, () => "perf-lab-test", (_, _, _, _, _) =>
        {
            _launched++;
            return Task.FromResult(LaunchEnd.NotStarted("/nowhere/result.json", "there is no container here"));
        });
        var places = Enumerable.Range(0, 2)
            .Select(number => new OutVolume($"v{number}", (Keeper, $"/out{number}"), _store.FullName))
            .Select(volume => new ContainerPlace("sha256:i", "0", volume, home.HostsFile, "owner")).ToList();
        var ends = new List<TurnsEnd>();
        for (var round = 0; round < rounds; round++)
        {
            ends.Add(await turns.LaunchAsync(
                new([Arm, Arm], ["base", "head"], [[0, 1], [1, 0]]), places, home, TestContext.Current.CancellationToken));
        }

        return ends;
    }

    private static LaunchSpec Arm => new()
    {
        Session = "test",
        Build = new Build("sha256:test", "/nowhere", NeedsShell: false),
        Command = ["./app"],
        Environment = [],
        Resources = new Resources(1, 64 << 20, 16),
        Timeout = TimeSpan.FromSeconds(5),
        Turns = new TurnPlan(5, 0.05),
    };

    /// <summary>An engine that answers one call so, and all others well. The process of the container is this one, or another.</summary>
    private FakeEngine Fake(string call, FakeAnswer answer, int? pid = null) => new(line =>
    {
        _asked.Enqueue(line);
        return line.Contains($"/{call} ", StringComparison.Ordinal) ? answer
            : line.Contains("/json ", StringComparison.Ordinal) ? FakeAnswer.Of("200 OK", Details(pid ?? Environment.ProcessId))
            : line.Contains("pause ", StringComparison.Ordinal) ? FakeAnswer.Of("204 No Content", "") : null;
    });

    // Every cgroup's path has this in it.
    private static string Details(int pid) =>
        $$$"""{"Id":"/","State":{"Pid":{{{pid}}},"Running":true,"ExitCode":0,"OOMKilled":false}}""";

    private static void SkipUnlessItHasAClock() =>
        Assert.SkipWhen(ContainerClock.Of(new(new(true, 0, false, Pid: Environment.ProcessId), "/")) is null,
            "nobody can read the processor time of this process's cgroup here");
}
