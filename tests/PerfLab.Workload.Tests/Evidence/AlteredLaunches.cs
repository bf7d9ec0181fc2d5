using System.Text.Json.Nodes;
using PerfLab.Building;
using PerfLab.Launching;

namespace PerfLab.Workload.Tests.Evidence;

/// <summary>Launches as another does, and does something to what was left.</summary>
/// <param name="launch">Gets the launch and how the other one does it.</param>
internal sealed class AlteredLaunches(ILauncher inner, Func<LaunchSpec, Func<Task<LaunchEnd>>, Task<LaunchEnd>> launch) : ILauncher
{
    public string Executor => inner.Executor;

    public IReadOnlyList<string> Warnings => inner.Warnings;

    /// <summary>One that does something to every trace.</summary>
    public static AlteredLaunches Traces(ILauncher inner, Action<FileStream> alter) => new(inner, async (_, launched) =>
    {
        var end = await launched();
        foreach (var path in Directory.EnumerateFiles(Path.GetDirectoryName(end.ResultFile)!, "*.nettrace"))
        {
            await using var trace = new FileStream(path, FileMode.Open);
            alter(trace);
        }

        return end;
    });

    public Task<JsonObject> DescribeAsync(CancellationToken cancellationToken) => inner.DescribeAsync(cancellationToken);

    public Task PrepareAsync(IReadOnlyCollection<Build> builds, CancellationToken cancellationToken) =>
        inner.PrepareAsync(builds, cancellationToken);

    public Task<bool> WaitUntilReadyAsync(TimeSpan patience, CancellationToken cancellationToken) =>
        inner.WaitUntilReadyAsync(patience, cancellationToken);

    public Task<LaunchEnd> LaunchAsync(LaunchSpec spec, CancellationToken cancellationToken) =>
        launch(spec, () => inner.LaunchAsync(spec, cancellationToken));

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}
