using System.Diagnostics;
using PerfLab.Engine.Tests.Support;
using PerfLab.Launching;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Engine.Tests.Docker.Launching;

/// <summary>
/// What a workload writes into its one writable place, in a real engine. Nothing is played; the store is one of its own, so that all that is
/// left of a session is seen. Whether the lab is root makes no difference any more: <see cref="As_an_ordinary_user_of_the_engine"/> is this
/// class once more (one of its tests, but for `--all`), as a user that is in nobody's group but the socket's.
/// </summary>
public sealed class HostileFilesTests(EngineFixture engine)
{
    private const string AsUser = "PERF_LAB_TEST_AS_USER";

    // Of the tree that could not be removed: folders of a strange user that nobody may look into.
    private const string ClosedTree = "mkdir -p /out/a/b/c; head -c 20M /dev/zero > /out/a/b/c/f; chmod 000 /out/a/b; chmod 700 /out/a; chmod 000 /out; echo seen > /tmp/x; exit 3";

    private const string MoreThanFits = """
        n=0; for i in 1 2 3 4 5; do head -c 1G /dev/zero > /out/big$i 2>/dev/null; done
        echo "kept $(( $(cat /out/big* | wc -c) >> 20 )) MiB"; exit 3
        """;

    private const string MoreFilesThanFit = """
        i=0; while [ $i -lt 100000 ]; do : > /out/$i || break; i=$((i+1)); done 2>/dev/null
        echo "kept $([ $(ls /out | wc -l) -lt 64 ] && echo few)"; exit 3
        """;

    [Theory]
    [InlineData(ClosedTree, "")]
    [InlineData(MoreThanFits, "kept 64 MiB")]
    [NightlyData(MoreFilesThanFit, "kept few")]
    public async Task Nothing_of_what_a_launch_writes_is_left_and_no_more_than_fits(string script, string tail)
    {
        using var store = new OwnStore();
        string session;
        await using (var launches = Launches.On(engine, store.Path))
        {
            session = launches.Session;
            var spoiled = await launches.RunAsync(script, spec => spec with { Timeout = TimeSpan.FromMinutes(1) });
            (spoiled.How, spoiled.ExitCode, spoiled.Tail).ShouldBe((EndKind.Exited, 3, tail));
            store.BytesIn("out").ShouldBeLessThan(70L << 20);

            var next = await launches.RunAsync("[ -z \"$(ls -A /out)\" ] && echo good > $PERF_LAB_RESULT");
            (await File.ReadAllTextAsync(next.ResultFile)).ShouldBe("good\n");
        }

        Directory.EnumerateFileSystemEntries(Path.Combine(store.Path, "out")).ShouldBeEmpty();
        using var client = engine.Client();
        (await client.ListVolumesAsync($"{Labels.Run}={session}", CancellationToken.None)).ShouldBeEmpty();
    }

    [Fact]
    public async Task Files_beside_the_result_come_along_and_a_file_with_holes_keeps_none_of_them()
    {
        using var store = new OwnStore();
        await using var launches = Launches.On(engine, store.Path);
        var end = await launches.RunAsync("truncate -s 5G /out/a; echo jit > /out/jit.txt; echo good > $PERF_LAB_RESULT");

        (await File.ReadAllTextAsync(end.ResultFile)).ShouldBe("good\n", "it is asked for by its name when the rest is too much");

        var next = await launches.RunAsync("echo jit > /out/jit.txt; mkdir /out/deep; echo x > /out/deep/x; ln $PERF_LAB_RESULT /out/z; echo good > $PERF_LAB_RESULT");
        var left = Directory.EnumerateFileSystemEntries(Path.GetDirectoryName(next.ResultFile)!).Select(Path.GetFileName).Order(StringComparer.Ordinal);
        left.ShouldBe(["deep", "jit.txt", "result.json"]);
        Directory.EnumerateFileSystemEntries(Path.Combine(Path.GetDirectoryName(next.ResultFile)!, "deep")).ShouldBeEmpty();
    }

    [Fact]
    public async Task A_place_is_new_for_each_launch_when_the_first_keeper_is_used_up()
    {
        Nightly.Only("20 seconds");
        using var store = new OwnStore();
        await using var launches = Launches.On(engine, store.Path);
        for (var launch = 0; launch < 10; launch++)
        {
            var end = await launches.RunAsync("ls -A /out > /tmp/seen; cat /tmp/seen; touch /out/left; [ ! -s /tmp/seen ] && echo good > $PERF_LAB_RESULT");
            end.ExitCode.ShouldBe(0, $"launch {launch}: {end.Tail}");
        }
    }

    [Fact]
    public async Task A_keeper_that_was_taken_away_voids_the_launch_and_no_more()
    {
        using var store = new OwnStore();
        await using var launches = Launches.On(engine, store.Path);
        var build = launches.Script("sleep 1; echo good > $PERF_LAB_RESULT");
        await launches.Launcher.PrepareAsync([build], CancellationToken.None);
        var launch = launches.Launcher.LaunchAsync(launches.Spec(build), CancellationToken.None);
        using var client = engine.Client();
        while (!(await client.ListContainersAsync($"{Labels.Run}={launches.Session}", CancellationToken.None)).Any(one => one.Labels[Labels.Kind] == "launch"))
        {
            await Task.Delay(20, CancellationToken.None);
        }

        var keeper = (await client.ListContainersAsync($"{Labels.Run}={launches.Session}", CancellationToken.None)).Single(one => one.Labels[Labels.Kind] == "keeper");
        await client.KillContainerAsync(keeper.Id, CancellationToken.None);

        (await launch).How.ShouldBe(EndKind.EngineGone, "what it wrote is gone: never 'no result'");
        (await launches.Launcher.WaitUntilReadyAsync(TimeSpan.FromSeconds(30), CancellationToken.None)).ShouldBeTrue();
        (await File.ReadAllTextAsync((await launches.Launcher.LaunchAsync(launches.Spec(build), CancellationToken.None)).ResultFile)).ShouldBe("good\n");
    }

    [Fact]
    public async Task As_an_ordinary_user_of_the_engine()
    {
        engine.Require();
        Assert.SkipWhen(Environment.GetEnvironmentVariable(AsUser) is not null, "is that user");
        Assert.SkipUnless(Environment.IsPrivilegedProcess && engine.Endpoint.SocketPath is not null, "needs root, to become somebody else, and an engine with a socket");
        await using (var shared = Launches.On(engine))
        {
            await shared.RunAsync("exit 0"); // makes the base image, which is linked to
        }

        var group = (await RunAsync(new ProcessStartInfo("stat", ["-c", "%G", engine.Endpoint.SocketPath!]))).Output.Trim();
        Assert.SkipWhen(group is "root" or "UNKNOWN", $"the engine's socket is for the group {group}: no ordinary user may use it");
        var (user, home) = ("lab-" + Guid.NewGuid().ToString("n")[..8], Directory.CreateTempSubdirectory("perf-lab-user-").FullName);
        try
        {
            await MustAsync("useradd", "--no-create-home", "--home-dir", home, "--groups", group, user);
            await MustAsync("chown", user + ":", home);
            var ofThisClass = Nightly.IsAsked ? "*" : nameof(Files_beside_the_result_come_along_and_a_file_with_holes_keeps_none_of_them);
            string[] tests =
            [
                "-method", $"*.{nameof(HostileFilesTests)}.{ofThisClass}",
                "-method", $"*.{nameof(TurnsTests)}.{nameof(TurnsTests.arms_do_their_slices_by_turns_and_nothing_of_the_other_runs_meanwhile)}",
            ];
            var (exit, output) = await RunAsync(
                new ProcessStartInfo("runuser", ["-u", user, "--", Environment.ProcessPath!, .. tests])
                {
                    Environment = { [AsUser] = user, ["DOCKER_HOST"] = engine.Endpoint.ToString(), ["HOME"] = home, ["TMPDIR"] = home, ["CI"] = "true" },
                });
            exit.ShouldBe(0, output);
            output.ShouldContain("Failed: 0");
        }
        finally
        {
            await RunAsync(new ProcessStartInfo("userdel", [user]));
            Directory.Delete(home, recursive: true);
        }
    }

    private static async Task MustAsync(string program, params string[] arguments)
    {
        var (exit, output) = await RunAsync(new ProcessStartInfo(program, arguments));
        exit.ShouldBe(0, $"{program}: {output}");
    }

    private static async Task<(int Exit, string Output)> RunAsync(ProcessStartInfo start)
    {
        (start.UseShellExecute, start.RedirectStandardOutput, start.RedirectStandardError) = (false, true, true);
        start.Environment["PATH"] = Environment.GetEnvironmentVariable("PATH") + ":/usr/sbin:/sbin";
        using var process = Process.Start(start)!;
        var errors = process.StandardError.ReadToEndAsync();
        var output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return (process.ExitCode, output + await errors);
    }
}
