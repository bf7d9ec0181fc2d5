using System.Text.Json.Nodes;
using PerfLab.Building;
using PerfLab.Launching;

namespace PerfLab.Selection;

/// <summary>How often something was launched.</summary>
internal sealed class CountedLauncher(ILauncher launcher) : ILauncher
{
    public int Launches { get; private set; }

    public string Executor => launcher.Executor;

    public IReadOnlyList<string> Warnings => launcher.Warnings;

    public Task<JsonObject> DescribeAsync(CancellationToken cancellationToken) => launcher.DescribeAsync(cancellationToken);

    public Task PrepareAsync(IReadOnlyCollection<Build> builds, CancellationToken cancellationToken) =>
        launcher.PrepareAsync(builds, cancellationToken);

    public Task<LaunchEnd> LaunchAsync(LaunchSpec launch, CancellationToken cancellationToken)
    {
        Launches++;
        return launcher.LaunchAsync(launch, cancellationToken);
    }

    public Task<bool> WaitUntilReadyAsync(TimeSpan patience, CancellationToken cancellationToken) =>
        launcher.WaitUntilReadyAsync(patience, cancellationToken);

    public ValueTask DisposeAsync() => launcher.DisposeAsync();
}
