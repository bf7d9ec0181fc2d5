using PerfLab.Engine.Tests.Support;
using PerfLab.Launching.Docker.Images;
using PerfLab.Runner.Tests.Commands;

namespace PerfLab.Engine.Tests.Commands;

/// <summary>
/// The whole program on a machine with an engine and without mmdebstrap. The engine is real and has no registry: images that it can't pull
/// are of a port where nobody listens, images that it has were loaded before.
/// </summary>
public sealed class BaseOnALaptopTests(EngineFixture engine) : IDisposable
{
    private const string NoSuch = "localhost:1/no/such:tag";

    private readonly LabFixture _lab = new();
    private readonly string _links = Directory.CreateTempSubdirectory("perf-lab-without-").FullName;

    public void Dispose()
    {
        _lab.Dispose();
        Directory.Delete(_links, recursive: true);
    }

    [Fact]
    public async Task Auto_takes_processes_and_says_what_was_tried()
    {
        Nightly.Only("10 seconds");
        NameBase(NoSuch);
        var (code, _, error) = await RunAsync("run behaving --base time=100 --head time=105 --rounds 0+13 --fail-on regression");
        code.ShouldBe(3, error);
        error.ShouldContain("executor: process, because no base image for containers can be had here. The engine can't pull the base image " + NoSuch);
        error.ShouldContain("To have containers: ");
        Directory.EnumerateFiles(Path.Combine(_lab.Root, ".perf-lab", "bases")).ShouldBeEmpty();
    }

    [Fact]
    public async Task Docker_by_name_fails_before_anything_is_built()
    {
        NameBase(NoSuch);
        var (code, _, error) = await RunAsync("run behaving --base time=100 --head time=105 --rounds 0+13 --executor docker");
        code.ShouldBe(1, error);
        error.ShouldContain("The engine can't pull the base image " + NoSuch);
        error.ShouldContain("`base-image: NAME`");
        Directory.Exists(Path.Combine(_lab.Root, ".perf-lab", "builds")).ShouldBeFalse();
    }

    [Fact]
    public async Task Without_a_name_both_ways_are_tried_and_both_are_told()
    {
        var (code, _, error) = await RunAsync("run behaving --base time=100 --head time=105 --rounds 0+13 --executor docker");
        code.ShouldBe(1, error);
        error.ShouldContain("mmdebstrap, which makes one from Debian packages, is not installed.");
        error.ShouldContain("The engine can't pull the base image " + PulledImage.Default);
        error.ShouldContain("apt-get install mmdebstrap debian-archive-keyring uidmap");
        error.ShouldContain("--executor process");
    }

    [Fact]
    public async Task An_image_that_the_engine_has_stands_under_the_builds_by_its_tag_and_stays_the_same()
    {
        Nightly.Only("30 seconds");
        engine.Require();
        using var client = engine.Client();
        var store = new ImageStore(EngineFixture.StoreFolder, client, new BaseImages(EngineFixture.StoreFolder, new DebianPackages()));
        var files = Directory.CreateDirectory(Path.Combine(_links, "files")).FullName;
        var id = await store.EnsureAsync(new("sha256:" + Guid.NewGuid().ToString("n"), files, NeedsShell: true), CancellationToken.None);
        var name = $"perf-lab-test-{Guid.NewGuid():n}";
        await client.TagImageAsync(id, name, "one", CancellationToken.None);
        try
        {
            NameBase(name + ":one");
            var (code, _, error) = await RunAsync("run behaving --base time=100 --head time=105 --rounds 0+13 --executor docker --fail-on regression");
            code.ShouldBe(3, error);
            error.ShouldContain($"base image: the image {name}:one");
            var bases = Path.Combine(_lab.Root, ".perf-lab", "bases");
            (await File.ReadAllTextAsync(Directory.EnumerateFiles(bases, "*.from").Single())).ShouldBe(id + "\n");

            // The name means nothing any more; what was taken stays.
            await client.RemoveImageAsync(name + ":one", CancellationToken.None);
            (code, _, error) = await RunAsync("run behaving --base time=100 --head time=105 --rounds 0+13 --executor docker --fail-on regression");
            code.ShouldBe(3, error);
        }
        finally
        {
            await client.RemoveImageAsync(id, CancellationToken.None);
        }
    }

    [Fact]
    public async Task Doctor_says_that_containers_lack_a_base_and_what_auto_takes()
    {
        Nightly.Only("10 seconds");
        NameBase(NoSuch);
        var (_, output, error) = await RunAsync("doctor --policy any");
        output.ShouldContain("process: no base image for containers can be had", Case.Sensitive, error);
        output.ShouldContain("The engine can't pull the base image");
    }

    [Fact]
    public async Task An_engine_that_was_named_may_answer_late()
    {
        await using var late = new FakeEngine(_ =>
        {
            Thread.Sleep(TimeSpan.FromSeconds(1.5)); // auto waits one second
            return null;
        });
        var (_, _, error) = await RunAsync("build plan.json --executor docker", late.Endpoint.ToString());
        error.ShouldNotContain("starting the docker executor");
    }

    private void NameBase(string image) => File.AppendAllText(Path.Combine(_lab.Root, "perf-lab.yaml"), $"\nbase-image: {image}\n");

    private async Task<(int Code, string Output, string Error)> RunAsync(string arguments, string? host = null)
    {
        engine.Require();
        using var program = _lab.Start(arguments, ("DOCKER_HOST", host ?? engine.Endpoint.ToString()), ("PATH", WithoutTool()));
        var output = program.StandardOutput.ReadToEndAsync();
        var error = program.StandardError.ReadToEndAsync();
        await program.WaitForExitAsync();
        return (program.ExitCode, await output, await error);
    }

    /// <summary>All programs of PATH but mmdebstrap, by links.</summary>
    private string WithoutTool()
    {
        var links = Directory.CreateDirectory(Path.Combine(_links, "bin")).FullName;
        foreach (var program in Environment.GetEnvironmentVariable("PATH")!.Split(':').Where(Directory.Exists).SelectMany(Directory.EnumerateFiles))
        {
            var link = Path.Combine(links, Path.GetFileName(program));
            if (Path.GetFileName(program) != "mmdebstrap" && !File.Exists(link))
            {
                File.CreateSymbolicLink(link, program);
            }
        }

        return links;
    }
}
