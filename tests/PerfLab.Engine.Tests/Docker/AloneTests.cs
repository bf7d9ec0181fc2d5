using System.Globalization;
using System.Text.Json.Nodes;
using PerfLab.Engine.Tests.Support;
using PerfLab.Launching;
using PerfLab.Launching.Docker;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Engine.Tests.Docker;

/// <summary>Tests that touch the whole engine: they run after the others, one by one.</summary>
[CollectionDefinition(nameof(AloneTests), DisableParallelization = true)]
[Collection(nameof(AloneTests))]
public sealed class AloneTests(EngineFixture engine)
{
    private const int Orphans = 12;

    [Fact]
    public async Task An_engine_killed_in_a_launch_voids_it_and_launches_go_on_when_it_is_back()
    {
        engine.RequireOwn();
        await using var launches = Launches.On(engine);
        var launch = launches.RunAsync("sleep 1000");
        await RunningAsync(launches);
        KillEngine();
        var waiting = launches.Launcher.WaitUntilReadyAsync(TimeSpan.FromSeconds(60), CancellationToken.None);
        try
        {
            var end = await launch;
            end.How.ShouldBe(EndKind.EngineGone);
            end.Reason.ShouldNotBeNull();
            (await launches.Launcher.WaitUntilReadyAsync(TimeSpan.FromMilliseconds(500), CancellationToken.None)).ShouldBeFalse();
        }
        finally
        {
            (await EngineFixture.ScriptAsync("up")).ExitCode.ShouldBe(0); // or each test after this one fails, too
        }

        (await waiting).ShouldBeTrue();
        (await launches.RunAsync("exit 4")).ExitCode.ShouldBe(4);
    }

    [Fact]
    public async Task Orphans_are_removed_and_nothing_else_is_touched()
    {
        engine.Require();
        await using var launches = Launches.On(engine);
        await launches.Launcher.PrepareAsync([launches.Script("exit 0")], CancellationToken.None);
        using var client = engine.Client();
        var image = (await client.ListImagesAsync("perf-lab.build", CancellationToken.None))[0].Id;
        var mine = Owner.ThisProcess();
        var dead = mine with { Boot = "a-former-boot" };
        var orphans = new List<string>();
        for (var i = 0; i < Orphans; i++)
        {
            orphans.Add(await CreateAsync(client, image, new() { ["perf-lab.run"] = "dead-session", ["perf-lab.owner"] = dead.Label }));
        }

        orphans.Add(await CreateAsync(client, image, new() { ["perf-lab.run"] = "ownerless" }));
        string[] kept =
        [
            await CreateAsync(client, image, new()),
            await CreateAsync(client, image, new() { ["com.example.run"] = "foreign" }),
            await CreateAsync(client, image, new() { ["perf-lab.running"] = "foreign" }),
            await CreateAsync(client, image, new() { ["perf-lab.run"] = "", ["note"] = "inherited from an image of a Dockerfile" }),
            await CreateAsync(client, image, new() { ["perf-lab.run"] = "living", ["perf-lab.owner"] = mine.Label }),
            await CreateAsync(client, image, new() { ["perf-lab.run"] = "elsewhere", ["perf-lab.owner"] = (mine with { Machine = "other" }).Label }),
        ];
        try
        {
            await launches.Launcher.PrepareAsync([], CancellationToken.None);
            foreach (var orphan in orphans)
            {
                (await Should.ThrowAsync<EngineException>(client.InspectContainerAsync(orphan, CancellationToken.None)))
                    .Status.ShouldBe(System.Net.HttpStatusCode.NotFound);
            }

            foreach (var id in kept)
            {
                await client.InspectContainerAsync(id, CancellationToken.None);
            }
        }
        finally
        {
            foreach (var id in kept)
            {
                await client.RemoveContainerAsync(id, CancellationToken.None);
            }
        }
    }

    [Fact]
    public async Task Clean_removes_all_that_is_ours_and_says_how_much()
    {
        engine.RequireOwn();
        await using (var launches = Launches.On(engine))
        {
            await launches.Launcher.PrepareAsync([launches.Script("exit 0")], CancellationToken.None);
        }

        var store = Directory.CreateTempSubdirectory("perf-lab-clean-").FullName;
        Directory.CreateDirectory(Path.Combine(store, "bases"));
        await File.WriteAllBytesAsync(Path.Combine(store, "bases", "old.tar"), new byte[1000]);
        await using var launcher = new DockerLauncher(engine.Settings() with { StoreFolder = store });
        var removed = await launcher.CleanAsync(CancellationToken.None);
        removed.Problems.ShouldBeEmpty();
        removed.Images.ShouldNotBeEmpty();
        removed.Images.ShouldContain(image => image.StartsWith("perf-lab/build:"));
        removed.Bytes.ShouldBeGreaterThan(10_000_000);
        Directory.Exists(Path.Combine(store, "bases")).ShouldBeFalse();
        using var client = engine.Client();
        (await client.ListImagesAsync("perf-lab.build", CancellationToken.None)).ShouldBeEmpty();
        Directory.Delete(store, recursive: true);
    }

    private static async Task<string> CreateAsync(EngineClient client, string image, JsonObject labels)
    {
        var spec = new JsonObject { ["Image"] = image, ["Entrypoint"] = new JsonArray("true"), ["Labels"] = labels };
        var (id, _) = await client.CreateContainerAsync("test-" + Guid.NewGuid().ToString("n"), spec, CancellationToken.None);
        return id;
    }

    /// <summary>Until the launch's container runs; loading its image alone took longer than two seconds on a busy machine.</summary>
    private async Task RunningAsync(Launches launches)
    {
        using var client = engine.Client();
        for (var asked = 0; asked < 600; asked++)
        {
            var containers = await client.ListContainersAsync($"{Labels.Run}={launches.Session}", CancellationToken.None);
            if (containers.Any(container => container.State == "running" && container.Labels.GetValueOrDefault(Labels.Kind) == "launch"))
            {
                return;
            }

            await Task.Delay(TimeSpan.FromMilliseconds(100));
        }

        Assert.Fail("the launch did not begin within a minute");
    }

    /// <summary>The pid is the one that the engine script wrote; it answers for it being its own engine.</summary>
    private void KillEngine()
    {
        var folder = Path.GetDirectoryName(engine.Endpoint.SocketPath)!;
        var pid = int.Parse(File.ReadAllText(Path.Combine(folder, "engine.pid")), CultureInfo.InvariantCulture);
        using var process = System.Diagnostics.Process.GetProcessById(pid);
        process.ProcessName.ShouldBe("dockerd");
        process.Kill();
    }
}
