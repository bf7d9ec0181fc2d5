using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Launching.Docker.Engine;
using PerfLab.Launching.Docker;
using PerfLab.Launching;

namespace PerfLab.Engine.Tests.Support;

/// <summary>A launcher and a folder of its own for one test; both gone at its end.</summary>
public sealed class Launches : IAsyncDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("perf-lab-test-").FullName;

    private Launches(DockerLauncher launcher) => Launcher = launcher;

    public DockerLauncher Launcher { get; }

    public string Session { get; } = "test-" + Guid.NewGuid().ToString("n")[..12];

    public static Launches On(EngineFixture engine, EngineDeadlines? deadlines = null)
    {
        engine.Require();
        return new Launches(new DockerLauncher(engine.Settings(deadlines)));
    }

    public static Launches On(EngineFixture engine, string store)
    {
        engine.Require();
        return new Launches(new DockerLauncher(engine.Settings() with { StoreFolder = store }));
    }

    /// <summary>A build that is one shell script; equal scripts are equal builds.</summary>
    public Build Script(string text)
    {
        var hash = Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(System.Text.Encoding.UTF8.GetBytes(text)));
        var folder = Directory.CreateDirectory(Path.Combine(_folder, hash)).FullName;
        File.WriteAllText(Path.Combine(folder, "run.sh"), "#!/bin/bash\n" + text.ReplaceLineEndings("\n"));
        return new Build("sha256:" + hash, folder, NeedsShell: true);
    }

    public LaunchSpec Spec(Build build, params string[] command) => new()
    {
        Session = Session,
        Build = build,
        Command = command.Length > 0 ? command : ["bash", "run.sh"],
        Environment = [new("PATH", "/usr/bin:/bin"), new("HOME", "/tmp"), new("LANG", "C.UTF-8")],
        Resources = new Resources(Cpus: 1, MemoryBytes: 128 << 20, Pids: 64),
        Timeout = TimeSpan.FromSeconds(30),
    };

    /// <summary>Prepares and launches a script once.</summary>
    public async Task<LaunchEnd> RunAsync(string script, Func<LaunchSpec, LaunchSpec>? change = null, CancellationToken cancellationToken = default)
    {
        var build = Script(script);
        await Launcher.PrepareAsync([build], cancellationToken);
        var spec = Spec(build);
        return await Launcher.LaunchAsync(change is null ? spec : change(spec), cancellationToken);
    }

    /// <summary>Launches of this session that the engine still has; the container that keeps their results stays for the next.</summary>
    public async Task<int> LeftAsync(EngineFixture engine)
    {
        using var client = engine.Client();
        return (await client.ListContainersAsync($"{Labels.Run}={Session}", CancellationToken.None))
            .Count(container => container.Labels.GetValueOrDefault(Labels.Kind) == "launch");
    }

    public async ValueTask DisposeAsync()
    {
        await Launcher.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }
}
