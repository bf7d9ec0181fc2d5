using System.Text.Json.Nodes;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Engine.Tests.Docker;
using PerfLab.Engine.Tests.Support;
using PerfLab.Runner.Tests.Steps;

namespace PerfLab.Engine.Tests.Commands;

/// <summary>A workload with a Dockerfile, from request.json to its journal: each arm built and packed, the images gone, both loaded again by digest. Alone: images are removed.</summary>
[Collection(nameof(AloneTests))]
public sealed class DockerfileOnAPullRequestTests(EngineFixture engine) : IDisposable
{
    private readonly string? _outside = Environment.GetEnvironmentVariable("DOCKER_HOST");
    private readonly PullRequestLab _lab = new();

    public void Dispose()
    {
        Environment.SetEnvironmentVariable("DOCKER_HOST", _outside);
        _lab.Dispose();
    }

    [Fact]
    public async Task Images_travel_with_the_other_builds_and_are_loaded_by_digest()
    {
        Nightly.Only("50 seconds");
        await PackAsync();
        using var client = engine.Client();
        var made = await client.ListImagesAsync("perf-lab.build", CancellationToken.None);
        var (exit, _, error) = await MeasureAsync();
        exit.ShouldBe(0, error);
        var journal = JournalReader.Read(await File.ReadAllBytesAsync(_lab.At("session/samples.ndjson"), TestContext.Current.CancellationToken)).Samples.ShouldNotBeNull();
        journal.Header.Executor.ShouldBe("docker");
        journal.Launches.Where(launch => launch.Outcome != Outcome.Measured).Select(launch => launch.Reason).ShouldBeEmpty();
        foreach (var (arm, value) in new[] { ("base", 100.0), ("head", 50.0) })
        {
            journal.Launches.Where(launch => launch.Arm == arm).Select(launch => launch.Metrics["throughput"]).ShouldBe(Enumerable.Repeat(value, 13));
        }

        var loaded = (await client.ListImagesAsync("perf-lab.build", CancellationToken.None)).Select(image => image.Id).Except(made.Select(image => image.Id)).ToList();
        loaded.Count.ShouldBe(2);
        foreach (var image in loaded)
        {
            await client.RemoveImageAsync(image, CancellationToken.None);
        }
    }

    [Fact]
    public async Task An_image_of_another_digest_is_refused_before_anything_is_launched()
    {
        Nightly.Only("10 seconds");
        await PackAsync();
        var pack = await File.ReadAllBytesAsync(_lab.At("head.tar"), TestContext.Current.CancellationToken);
        pack[pack.AsSpan().IndexOf("\"value\":50"u8)] ^= 1;
        await File.WriteAllBytesAsync(_lab.At("head.tar"), pack, TestContext.Current.CancellationToken);
        var (exit, _, error) = await MeasureAsync();
        exit.ShouldBe(1);
        error.ShouldContain("reading the build pack");
        error.ShouldContain("digest");
        File.Exists(_lab.At("session/samples.ndjson")).ShouldBeFalse();
    }

    private Task<(int Exit, string Out, string Error)> MeasureAsync() =>
        _lab.RunAsync("measure", "plan.json", "--pack", "base=base.tar", "--pack", "head=head.tar", "--out", "session", "--executor", "docker");

    /// <summary>Builds and packs both arms, as the build jobs do, and leaves nothing of them in the engine.</summary>
    private async Task PackAsync()
    {
        engine.Require();
        // The steps run in this process and find the engine as a person's would; nothing else runs beside these tests.
        Environment.SetEnvironmentVariable("DOCKER_HOST", engine.Endpoint.ToString());
        await using var launches = Launches.On(engine);
        var shell = launches.Script("exit 0");
        await launches.Launcher.PrepareAsync([shell], CancellationToken.None);
        using var client = engine.Client();
        var parent = (await client.ListImagesAsync("perf-lab.build=" + shell.Identity, CancellationToken.None)).First(image => image.Tags.Count > 0).Id;
        _lab.Write("repo/workloads/boxed/workload.yaml", PullRequestLab.Manifest.Replace("name: echo", "name: boxed", StringComparison.Ordinal)
            .Replace("kind: none", "kind: docker, dockerfile: Dockerfile", StringComparison.Ordinal).Replace("./run.sh", "/box/run.sh", StringComparison.Ordinal));
        foreach (var (commit, value) in new[] { ("base", 100), ("head", 50) })
        {
            _lab.Write($"{commit}/workloads/boxed/workload.yaml", "left alone: the manifest is the default branch's\n");
            _lab.Write($"{commit}/workloads/boxed/Dockerfile", $"FROM {parent}\nUSER root\nCOPY run.sh /box/run.sh\nRUN chmod 755 /box/run.sh\n");
            _lab.Write($"{commit}/workloads/boxed/run.sh",
                "#!/bin/bash\nprintf '{\"schema\":\"perf-lab/result/1\",\"nonce\":\"%s\",\"measuredSeconds\":0.01,\"metrics\":{\"throughput\":{\"value\":" + value
                + ",\"unit\":\"call/s\"}},\"evidence\":{}}' \"$PERF_LAB_NONCE\" >\"$PERF_LAB_RESULT\"\n");
        }

        _lab.Write("repo/workloads/boxed/Dockerfile", "FROM scratch\n");
        _lab.Words["suite"] = null;
        _lab.Words["workloads"] = new JsonArray("boxed");
        _lab.Words["rounds"] = "0+13";
        _lab.Words["sessions"] = 1; // a second one would wait three minutes
        await _lab.PlanAsync();
        foreach (var arm in new[] { "base", "head" })
        {
            var before = (await client.ListImagesAsync("perf-lab.build", CancellationToken.None)).Select(image => image.Id).ToList();
            var (exit, _, error) = await _lab.RunAsync("build", "plan.json", "--arm", arm, "--pack", arm + ".tar", "--executor", "docker");
            exit.ShouldBe(0, error);
            foreach (var image in (await client.ListImagesAsync("perf-lab.build", CancellationToken.None)).Select(image => image.Id).Except(before))
            {
                await client.RemoveImageAsync(image, CancellationToken.None);
            }
        }

        Directory.Exists(_lab.At("repo/.perf-lab/tmp")).ShouldBeTrue();
        Directory.EnumerateFileSystemEntries(_lab.At("repo/.perf-lab/tmp")).ShouldBeEmpty();
    }
}
