using System.Diagnostics;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>Dapr's programs of one node: daprd, and on the first member placement, too. They end with the node.</summary>
internal sealed class Sidecar : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private const string Store = """
        apiVersion: dapr.io/v1alpha1
        kind: Component
        metadata: {name: statestore}
        spec:
          type: state.in-memory
          version: v1
          metadata: [{name: actorStateStore, value: "true"}]
        """;

    // Without a name resolver of its own daprd would announce itself by multicast.
    private const string Configuration = """
        apiVersion: dapr.io/v1alpha1
        kind: Configuration
        metadata: {name: lab}
        spec:
          nameResolution: {component: kubernetes, version: v1}
          metric: {enabled: false}
          tracing: {samplingRate: "0"}
        """;

    private readonly List<Process> _processes = [];

    public IReadOnlyList<int> Processes => _processes.ConvertAll(process => process.Id);

    /// <param name="hasActors">The application beside it serves actors, and listens already.</param>
    /// <exception cref="InvalidOperationException">It did not find its placement in time.</exception>
    public static Sidecar Start(Place place, bool hasActors)
    {
        var sidecar = new Sidecar();
        try
        {
            sidecar.StartPrograms(place, hasActors);
            sidecar.WaitForPlacement(place.Self);
            return sidecar;
        }
        catch
        {
            sidecar.Dispose();
            throw;
        }
    }

    public void Dispose()
    {
        foreach (var process in _processes)
        {
            process.Kill();
            process.WaitForExit();
            process.Dispose();
        }

        _processes.Clear();
    }

    private void StartPrograms(Place place, bool hasActors)
    {
        var (self, first) = (place.Self, place.Members[0]);
        if (self == first)
        {
            Run(self, "placement", "--port", Text(DaprPorts.Placement(self)), "--healthz-port", Text(DaprPorts.PlacementHealth(self)),
                "--enable-metrics=false", "--initial-cluster", $"dapr-placement-0={self.Host}:{DaprPorts.PlacementRaft(self)}", "--log-level", "error");
        }

        var folder = Directory.CreateTempSubdirectory("dapr-").FullName;
        var components = Directory.CreateDirectory(Path.Combine(folder, "components")).FullName;
        var configuration = Path.Combine(folder, "config.yaml");
        File.WriteAllText(Path.Combine(components, "store.yaml"), Store);
        File.WriteAllText(configuration, Configuration);
        // It listens at the node's address, which is the loopback only where all nodes share one.
        string[] application = hasActors
            ? ["--app-port", Text(DaprPorts.Application(self)), "--app-protocol", "http", "--app-channel-address", self.Host] : [];
        Run(self, "daprd",
        [
            "--app-id", $"{place.Cluster}-{self.Name}", .. application, "--dapr-http-port", Text(DaprPorts.Http(self)), "--dapr-grpc-port", Text(DaprPorts.Grpc(self)),
            "--dapr-listen-addresses", self.Host, "--dapr-internal-grpc-port", Text(DaprPorts.Internal(self)), "--dapr-internal-grpc-listen-address", self.Host,
            "--enable-metrics=false", "--placement-host-address", $"{first.Host}:{DaprPorts.Placement(first)}", "--resources-path", components,
            "--config", configuration, "--log-level", "error",
        ]);
    }

    private void Run(LaunchNode self, string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(Path.Combine(AppContext.BaseDirectory, program), arguments) { UseShellExecute = false };
        start.Environment["DAPR_HOST_IP"] = self.Host;
        _processes.Add(Process.Start(start)!);
    }

    private void WaitForPlacement(LaunchNode self)
    {
        using var http = new HttpClient();
        var address = new Uri(DaprPorts.Address(self) + "/v1.0/metadata");
        var clock = Stopwatch.StartNew();
        var last = "it does not listen";
        while (clock.Elapsed < Patience)
        {
            if (_processes.Find(process => process.HasExited) is { } ended)
            {
                throw new InvalidOperationException($"a program of Dapr ended with {ended.ExitCode} while the node was started.");
            }

            try
            {
                last = http.GetStringAsync(address).GetAwaiter().GetResult();
                if (last.Contains("placement: connected", StringComparison.Ordinal))
                {
                    return;
                }
            }
            catch (HttpRequestException)
            {
                // Not yet.
            }

            Thread.Sleep(50);
        }

        throw new InvalidOperationException($"the sidecar of {self.Name} was not connected to placement within {Patience.TotalSeconds} s: {last}");
    }

    private static string Text(int port) => port.ToString(System.Globalization.CultureInfo.InvariantCulture);
}
