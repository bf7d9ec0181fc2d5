using System.Text.Json.Nodes;
using PerfLab.Building;
using PerfLab.Launching;

namespace PerfLab.Workload.Tests.Evidence;

/// <summary>Launches as another does, and loses the second half of every trace, as a full disk would.</summary>
internal sealed class TraceCutter(ILauncher inner) : ILauncher
{
    public string Executor => inner.Executor;

    public IReadOnlyList<string> Warnings => inner.Warnings;

    public Task<JsonObject> DescribeAsync(CancellationToken cancellationToken) => inner.DescribeAsync(cancellationToken);

    public Task PrepareAsync(IReadOnlyCollection<Build> builds, CancellationToken cancellationToken) =>
        inner.PrepareAsync(builds, cancellationToken);

    public Task<bool> WaitUntilReadyAsync(TimeSpan patience, CancellationToken cancellationToken) =>
        inner.WaitUntilReadyAsync(patience, cancellationToken);

    public async Task<LaunchEnd> LaunchAsync(LaunchSpec launch, CancellationToken cancellationToken)
    {
        var end = await inner.LaunchAsync(launch, cancellationToken);
        foreach (var path in Directory.EnumerateFiles(Path.GetDirectoryName(end.ResultFile)!, "*.nettrace"))
        {
            await using var trace = new FileStream(path, FileMode.Open);
            trace.SetLength(trace.Length / 2);
        }

        return end;
    }

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}
