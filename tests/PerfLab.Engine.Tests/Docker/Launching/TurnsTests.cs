using PerfLab.Engine.Tests.Support;
using PerfLab.Launching;
using PerfLab.Launching.Docker;
using PerfLab.Launching.Docker.Engine;
using PerfLab.Runner.Tests.Execution.Processes;

namespace PerfLab.Engine.Tests.Docker.Launching;

/// <summary>Containers that take turns: exactly one runs, the engine pauses the others, and none is left.</summary>
public sealed class TurnsTests(EngineFixture engine)
{
    private const int Slices = 5;

    private const string Open = "exec 3>\"$PERF_LAB_TURN_SAY\" 4<\"$PERF_LAB_TURN_GO\"; say() { echo \"$*\" >&3; }; go() { read -r _ <&4; }; say warm; go; ";

    private const string Slice = "for i in 1 2 3 4 5; do WORK; say slice 100 1000 500; go; done; echo done > \"$PERF_LAB_RESULT\"";

    // A child that always works.
    private static readonly string Busy = "(while :; do :; done) & " + Open + Slice.Replace("WORK", "sleep 0.05", StringComparison.Ordinal);

    [Fact]
    public async Task arms_do_their_slices_by_turns_and_nothing_of_the_other_runs_meanwhile()
    {
        // Its own: an ordinary user runs it, too, who may not write into the shared one.
        using var store = new OwnStore();
        await using var launches = Launches.On(engine, store.Path);

        var end = await RunAsync(launches, Busy, Busy);
        if (GaveUp(end))
        {
            end = await RunAsync(launches, Busy, Busy);
        }

        end.Void.ShouldBeNull();
        foreach (var arm in end.Arms)
        {
            (arm.End.How, arm.End.ExitCode, arm.Broken).ShouldBe((EndKind.Exited, 0, null), arm.End.Reason);
            arm.Slices!.Work.ShouldBe(Enumerable.Repeat(100.0, Slices));
            arm.Slices.FrozenSeconds.ShouldBeLessThan(0.005);
            (await File.ReadAllTextAsync(arm.End.ResultFile)).ShouldBe("done\n");
        }

        end.Arms[0].End.Evidence["container"]!.ToString().ShouldBe(end.Arms[1].End.Evidence["container"]!.ToString());
        (await launches.LeftAsync(engine)).ShouldBe(0);
    }

    [Fact]
    public async Task nothing_but_the_two_pipes_is_there_to_write_to_and_they_can_not_be_taken_away()
    {
        await using var launches = Launches.On(engine);
        const string Sealed = "ls /out > /tmp/all; for pipe in say go; do rm -f /out/$pipe; mv /out/$pipe /out/else; touch -d 1970-01-01 /out/$pipe; "
            + "[ -p /out/$pipe ] && echo $pipe; done > \"$PERF_LAB_RESULT\" 2>/dev/null; cat /tmp/all >> \"$PERF_LAB_RESULT\"; ";

        var end = await RunAsync(launches, Sealed + Open + "for i in 1 2 3 4 5; do say slice 1 1; go; done", Busy);

        (await File.ReadAllTextAsync(end.Arms[0].End.ResultFile)).ShouldBe("say\ngo\ngo\nsay\n");
    }

    [Fact]
    public async Task a_side_that_somebody_lets_go_on_in_the_others_turn_makes_the_round_void_by_name()
    {
        await using var launches = Launches.On(engine);
        using var client = engine.Client();
        var (paused, since) = ("", Environment.TickCount64);
        // Head's turn lasts for eight seconds, base's is over in no time: what stays paused for two is base.
        var round = await RunUntilAsync(launches, Open + Slice.Replace("WORK", "sleep 8", StringComparison.Ordinal), async () =>
        {
            var now = await ContainersAsync(client, launches.Session, "paused") is [var one] ? one : "";
            (paused, since) = now == paused ? (paused, since) : (now, Environment.TickCount64);
            return paused.Length > 0 && Environment.TickCount64 - since > 2000;
        });
        await client.UnpauseContainerAsync(paused, CancellationToken.None);

        var end = await round;
        end.Void!.ShouldStartWith("base ran for ");
        end.Void.ShouldEndWith(" ms while it was frozen and another had its turn");
        end.Arms.ShouldAllBe(arm => arm.Slices == null && arm.End.How == EndKind.KilledFromOutside);
        (await launches.LeftAsync(engine)).ShouldBe(0);
    }

    [Fact]
    public async Task a_container_that_the_engine_can_not_pause_makes_the_round_void_with_what_the_engine_said()
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess && Directory.Exists("/sys/fs/cgroup/freezer/docker"), "takes root and a freezer of cgroup v1");
        await using var launches = Launches.On(engine);
        var round = RunAsync(launches, "sleep 2; " + Busy, Busy);
        using var client = engine.Client();
        // As on a machine without a freezer: the container's own is gone.
        await UntilAsync(async () => (await ContainersAsync(client, launches.Session, "running")).Any(Freezer.TakeAway));

        var end = await round;
        end.Void!.ShouldStartWith("base could not be frozen: asking the Docker engine for POST ");
        end.Void.ShouldContain("it answered 500: Cannot pause container ");
        (await launches.LeftAsync(engine)).ShouldBe(0);
    }

    [Theory]
    [InlineData(Open + "sleep 60", EndKind.TimedOut, null)]
    [NightlyData(Open + "say slice 1 1; say slice 1 1; sleep 60", null, "said that a slice is done twice in one turn")]
    [NightlyData(Open + "exit 0", null, "ended without having said that its slices are done")]
    [NightlyData(Open + "exit 7", EndKind.Exited, null)]
    public async Task an_arm_that_does_not_take_turns_ends_the_round_and_is_named(string script, EndKind? how, string? broken)
    {
        await using var launches = Launches.On(engine);

        var end = await RunAsync(launches, Busy, script);

        end.Arms[1].Broken.ShouldBe(broken);
        end.Arms[1].End.How.ShouldBe(how ?? end.Arms[1].End.How);
        end.Arms[0].End.Reason!.ShouldStartWith("head, with which it took turns, was ended: ");
        end.Void.ShouldBeNull();
        (await launches.LeftAsync(engine)).ShouldBe(0);
    }

    [Fact]
    public async Task a_cancelled_round_leaves_no_paused_container()
    {
        await using var launches = Launches.On(engine);
        using var cancelled = new CancellationTokenSource();
        using var client = engine.Client();
        var round = await RunUntilAsync(launches, Open + "sleep 100", () => IsInTurnsAsync(client, launches.Session), cancelled.Token);
        await cancelled.CancelAsync();

        await Should.ThrowAsync<OperationCanceledException>(round);
        (await launches.LeftAsync(engine)).ShouldBe(0);
    }

    [Fact]
    public async Task a_lab_that_is_killed_leaves_no_paused_container()
    {
        Nightly.Only("40 seconds");
        var store = Directory.CreateTempSubdirectory("perf-lab-turns-").FullName;
        await using (var launches = Launches.On(engine, store))
        {
            using var client = engine.Client();
            var round = await RunUntilAsync(launches, Open + "sleep 100", () => IsInTurnsAsync(client, launches.Session));
            LabPipe.EndAsTheKernelDoes(store);

            await UntilAsync(async () => await launches.LeftAsync(engine) == 0);
            (await round).Arms.ShouldAllBe(arm => arm.Slices == null);
        }

        Directory.Delete(store, recursive: true);
    }

    [Theory]
    [InlineData("curl")]
    [NightlyData("docker")]
    public async Task whichever_program_can_ask_the_engine_removes_paused_containers(string program)
    {
        await using var launches = Launches.On(engine);
        var found = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(':').Select(folder => Path.Combine(folder, program)).FirstOrDefault(File.Exists);
        Assert.SkipWhen(found is null, $"{program} is not here");
        var folder = Directory.CreateTempSubdirectory("perf-lab-watch-").FullName;
        File.CreateSymbolicLink(Path.Combine(folder, program), found);
        var launch = launches.RunAsync("sleep 100");
        using var client = engine.Client();
        await UntilAsync(async () => (await ContainersAsync(client, launches.Session, "running")).Count > 0);
        var id = (await ContainersAsync(client, launches.Session, "running"))[0];
        await client.PauseContainerAsync(id, CancellationToken.None);

        var (watch, problem) = DockerTurns.StartWatch(engine.Endpoint, folder, folder);
        problem.ShouldBeNull();
        using (watch)
        {
            watch!.Tell("gone", "perf-lab-that-is-not-there");
            watch.Tell(id, id);
            LabPipe.EndAsTheKernelDoes(folder);
            await UntilAsync(async () => await launches.LeftAsync(engine) == 0);
        }

        (await launch).How.ShouldBe(EndKind.KilledFromOutside);
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public void without_such_a_program_there_are_no_turns()
    {
        var (watch, problem) = DockerTurns.StartWatch(EngineEndpoint.Parse(null), Path.GetTempPath(), "/nowhere");
        watch.ShouldBeNull();
        problem!.ShouldStartWith("turns take curl or the docker command in your PATH, to remove paused containers if perf-lab is killed");
    }

    private static async Task<TurnsEnd> RunAsync(Launches launches, string first, string second, CancellationToken cancellationToken = default)
    {
        var builds = new[] { launches.Script(first), launches.Script(second) };
        await launches.Launcher.PrepareAsync(builds, CancellationToken.None);
        var arms = builds.Select((build, place) => launches.Spec(build).InTurns(new(Slices, 0.05)) with
        {
            // Those that say nothing wait for it.
            Timeout = TimeSpan.FromSeconds((place == 0 ? first : second).EndsWith("sleep 60", StringComparison.Ordinal) ? 3 : 60),
        });
        return await launches.Launcher.LaunchInTurnsAsync(
            new([.. arms], ["base", "head"], [.. Enumerable.Repeat<int[]>([0, 1], Slices)]), cancellationToken);
    }

    /// <summary>A round against <see cref="Busy"/> that has come so far, and goes on.</summary>
    private static async Task<Task<TurnsEnd>> RunUntilAsync(
        Launches launches, string second, Func<Task<bool>> isSo, CancellationToken cancellationToken = default)
    {
        for (var again = 0; ; again++)
        {
            var round = RunAsync(launches, Busy, second, cancellationToken);
            await UntilAsync(async () => round.IsCompleted || await isSo());
            if (!round.IsCompleted || again == 3 || !GaveUp(await round))
            {
                return round;
            }
        }
    }

    // runc gives up on a busy machine; a session repeats such a round, too.
    private static bool GaveUp(TurnsEnd end) => end.Void?.Contains("unable to freeze", StringComparison.Ordinal) == true;

    private static async Task<IReadOnlyList<string>> ContainersAsync(EngineClient client, string session, string state) =>
        [.. (await client.ListContainersAsync($"{Labels.Run}={session}", CancellationToken.None))
            .Where(container => container.State == state && container.Labels[Labels.Kind] == "launch").Select(container => container.Id)];

    private static async Task<bool> IsInTurnsAsync(EngineClient client, string session) =>
        await ContainersAsync(client, session, "paused") is [_] && await ContainersAsync(client, session, "running") is [_];

    private static async Task UntilAsync(Func<Task<bool>> isSo)
    {
        for (var look = 0; look < 3000; look++)
        {
            if (await isSo())
            {
                return;
            }

            await Task.Delay(10);
        }

        Assert.Fail("it did not come so far");
    }
}
