using PerfLab.Building;
using PerfLab.Engine.Tests.Support;
using PerfLab.Launching;
using PerfLab.Launching.Docker.Images;

namespace PerfLab.Engine.Tests.Docker.Images;

/// <summary>Alone, because steps of an image that imitates our run label look like orphans to the launchers of other tests.</summary>
[Collection(nameof(AloneTests))]
public sealed class DockerfileBuilderTests(EngineFixture engine) : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("perf-lab-dockerfile-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task An_image_of_a_Dockerfile_is_launched_by_our_rules_and_not_by_its_own()
    {
        var (launches, result) = await BuildAsync("""
            USER root
            ENTRYPOINT ["sh", "-c", "echo hijacked"]
            HEALTHCHECK --interval=1s CMD touch /tmp/health
            STOPSIGNAL SIGWINCH
            ENV DOTNET_GCHeapCount=2 COMPlus_ReadyToRun=0 DOTNET_TieredPGO=1 DOTNET_ROOT=/opt
            LABEL perf-lab.run=imitated
            COPY data.txt /app/data.txt
            RUN [ "$(ls /sys/class/net)" = lo ] && echo built > /app/built
            ARG COLOUR
            RUN echo $COLOUR >> /app/built
            """);
        await using var _ = launches;
        result.Failure.ShouldBeNull();
        var build = result.Build.ShouldNotBeNull();
        await launches.Launcher.PrepareAsync([build], CancellationToken.None);
        var spec = launches.Spec(build, "sh", "-c", "cat data.txt built; id -u; env | grep -e ^DOTNET_ -e ^COMPlus_ | grep -v GLOBALIZATION | sort; sleep 1.5; ls /tmp; exit 3");
        spec = spec with { Environment = [.. spec.Environment, new("DOTNET_TieredPGO", "0")] };
        var end = await launches.Launcher.LaunchAsync(spec, CancellationToken.None);
        end.How.ShouldBe(EndKind.Exited);
        end.Tail.ShouldBe("data\nbuilt\ngreen\n65532\nDOTNET_ROOT=/opt\nDOTNET_TieredPGO=0");
        using var client = engine.Client();
        var image = (await client.ListImagesAsync("perf-lab.build=" + build.Identity, CancellationToken.None)).ShouldHaveSingleItem();
        image.Labels["perf-lab.run"].ShouldBeEmpty();
        await client.RemoveImageAsync(image.Id, CancellationToken.None);
    }

    [Theory]
    [InlineData("RUN echo why >&2; exit 9", "9")]
    [NightlyData("VOLUME /data", "VOLUME /data")]
    [InlineData("NONSENSE", "NONSENSE")]
    public async Task A_Dockerfile_that_can_not_be_measured_says_why(string line, string reason)
    {
        var (launches, result) = await BuildAsync(line);
        await using var _ = launches;
        result.Build.ShouldBeNull();
        result.Failure.ShouldNotBeNull().ShouldContain(reason);
    }

    [Fact]
    public async Task A_base_that_nobody_has_makes_the_build_unavailable()
    {
        engine.Require();
        await File.WriteAllTextAsync(Path.Combine(_folder, "Dockerfile"), "FROM localhost:1/no/such\n");
        using var client = engine.Client();
        var result = await new DockerfileBuilder(client, _folder).BuildAsync(_folder, "Dockerfile", new Dictionary<string, string>(StringComparer.Ordinal), CancellationToken.None);
        result.Unavailable.ShouldNotBeNull().ShouldContain("localhost:1/no/such");
    }

    /// <summary>Builds "FROM our shell image" and <paramref name="lines"/>.</summary>
    private async Task<(Launches Launches, BuildResult Result)> BuildAsync(string lines)
    {
        var launches = Launches.On(engine);
        var parent = launches.Script("exit 0");
        await launches.Launcher.PrepareAsync([parent], CancellationToken.None);
        using var client = engine.Client();
        var image = (await client.ListImagesAsync("perf-lab.build=" + parent.Identity, CancellationToken.None))[0];
        await File.WriteAllTextAsync(Path.Combine(_folder, "data.txt"), "data\n");
        await File.WriteAllTextAsync(Path.Combine(_folder, "Dockerfile"), $"FROM {image.Id}\nUSER root\n{lines}\n");
        var result = await new DockerfileBuilder(client, EngineFixture.StoreFolder).BuildAsync(
            _folder, "Dockerfile", new Dictionary<string, string>(StringComparer.Ordinal) { ["COLOUR"] = "green" }, CancellationToken.None);
        return (launches, result);
    }
}
