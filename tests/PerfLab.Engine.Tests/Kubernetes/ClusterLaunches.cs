using System.Security.Cryptography;
using System.Text;
using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Kubernetes;

namespace PerfLab.Engine.Tests.Kubernetes;

[CollectionDefinition(Name)]
public sealed class OnOneCluster : ICollectionFixture<ClusterFixture>
{
    public const string Name = "one cluster";
}

/// <summary>A launcher for one test, with the login that has the Role of docs/operations.md and nothing else.</summary>
public sealed class ClusterLaunches : IAsyncDisposable
{
    /// <summary>Ready at once, and over when a client says so: there is no server among the small programs, so a file of the client's own node can't be seen.</summary>
    public const string Server = "echo $PERF_LAB_NODES > /out/result.json; : > $PERF_LAB_READY; sleep 4";

    private readonly string folder = Directory.CreateTempSubdirectory("perf-lab-test-").FullName;
    private readonly KubernetesLauncher launcher;

    private ClusterLaunches(KubernetesLauncher launcher) => this.launcher = launcher;

    public KubernetesLauncher Launcher => launcher;

    public static async Task<ClusterLaunches> OnAsync(ClusterFixture cluster, ClusterSettings? settings = null, string? account = "perf-lab")
    {
        cluster.Require();
        return new(cluster.Launcher(settings, account is null ? "kubectl" : await ClusterFixture.LoginAsync(account)));
    }

    /// <summary>Prepares and launches scripts once: one program, or one for each node by its role.</summary>
    public async Task<LaunchEnd> RunAsync(
        string script, string? client = null, Func<LaunchSpec, LaunchSpec>? change = null, CancellationToken cancellationToken = default)
    {
        var build = Script($"case $PERF_LAB_NODE in client-*) {client ?? ":"};; *) {script};; esac");
        await launcher.PrepareAsync([build], CancellationToken.None);
        var spec = new LaunchSpec
        {
            Session = "20261122-test",
            Build = build,
            Command = ["bash", "run.sh"],
            Environment = [new("PATH", "/usr/bin:/bin"), new("HOME", "/tmp"), new("LANG", "C.UTF-8"), new("PERF_LAB_NODE", ""), new("PERF_LAB_NODES", "")],
            OutFiles = [new("PERF_LAB_READY", "ready")],
            Nodes = client is null ? [] : [new PlannedNode("sut-0", "sut"), new PlannedNode("client-0", "client")],
            Resources = new Resources(Cpus: 1, MemoryBytes: 128 << 20, Pids: 64),
            Timeout = TimeSpan.FromSeconds(20),
        };
        return await launcher.LaunchAsync(change is null ? spec : change(spec), cancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        await launcher.DisposeAsync();
        Directory.Delete(folder, recursive: true);
    }

    /// <summary>A build that is one script.</summary>
    public Build Script(string text)
    {
        var hash = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)));
        var build = Directory.CreateDirectory(Path.Combine(folder, hash)).FullName;
        File.WriteAllText(Path.Combine(build, "run.sh"), "#!/bin/bash\n" + text.ReplaceLineEndings("\n") + "\n");
        return new Build("sha256:" + hash, build, NeedsShell: true);
    }
}
