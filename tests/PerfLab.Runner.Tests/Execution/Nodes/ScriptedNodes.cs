using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Proof;
using PerfLab.Runner.Tests.Execution.Processes;

namespace PerfLab.Runner.Tests.Execution.Nodes;

/// <summary>Launches of a few shell scripts that are nodes to each other; what they tell each other are files in their build's folder.</summary>
public sealed class ScriptedNodes : IAsyncDisposable
{
    public const string Nonce = "0123456789abcdef0123456789abcdef";

    /// <summary>A server that is ready at once, and ends when a client left the file "done".</summary>
    public const string GoodServer = """: > "$PERF_LAB_READY"; while [ ! -f done ]; do sleep 0.01; done""";

    public const string GoodClient = "touch done";

    private readonly ScriptFixture scripts = new();

    public string Folder => scripts.Folder;

    public ValueTask DisposeAsync() => scripts.DisposeAsync();

    /// <summary>One launch of one server and one client.</summary>
    public Task<LaunchEnd> Run(string server, string client, Func<LaunchSpec, LaunchSpec>? change = null, CancellationToken cancellationToken = default)
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "needs root: a network of the launch's own takes it");
        return scripts.Launcher.LaunchAsync(
            scripts.Launch($"case $PERF_LAB_NODE in sut-*) {server};; *) {client};; esac", launch => (change ?? (same => same))(launch with
            {
                Nodes = [new("sut-0", "sut"), new("client-0", "client")],
                Environment = [.. launch.Environment, new("PERF_LAB_NONCE", Nonce), new("PERF_LAB_NODE", ""), new("PERF_LAB_NODES", "")],
                OutFiles = [new("PERF_LAB_READY", "ready")],
            })),
            cancellationToken == CancellationToken.None ? TestContext.Current.CancellationToken : cancellationToken);
    }

    /// <summary>The process ids that a script wrote into a file.</summary>
    public IReadOnlyList<int> Pids(string file) => scripts.Pids(file);

    /// <summary>A shell command that writes a result, of which the kit's reader believes every word.</summary>
    public static string Result(string metrics, string nonce = Nonce) =>
        $$$"""printf '%s' '{"schema":"perf-lab/result/1","nonce":"{{{nonce}}}","measuredSeconds":0.001,"metrics":{{{metrics}}},"evidence":{"framework":"sh"}}' > "$PERF_LAB_RESULT" """;

    public static JudgedLaunch Judge(LaunchEnd end)
    {
        var arm = new PlannedArm
        {
            Id = "base",
            Dimensions = new Dictionary<string, string>(),
            Recipe = new() { Workload = "nodes", Folder = "/nodes", Kind = BuildKind.None },
            Command = ["./run.sh"],
            Nodes = [new("sut-0", "sut"), new("client-0", "client")],
            Environment = [],
        };
        var cell = new PlannedCell
        {
            Id = "c001",
            Workload = "nodes",
            Mode = "steady",
            Dimensions = new Dictionary<string, string>(),
            Parameters = new Dictionary<string, string>(),
            Arms = [arm],
            Metrics = [new("throughput", "msg/s", Better.Higher, Primary: true)],
            Launch = new(0, 0, 20),
            Resources = new(1, 256 << 20, 64),
        };
        return LaunchJudge.Judge(new(cell, arm, Nonce), end);
    }
}
