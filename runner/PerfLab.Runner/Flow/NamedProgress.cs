using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow;

/// <summary>The progress line that several sessions share while they are measured at once; each says which it is.</summary>
/// <param name="line">Of all of them.</param>
/// <param name="name">"node 2, shard 5".</param>
internal sealed class NamedProgress(ProgressLine line, string name) : IProgress<SessionProgress>
{
    public ProgressLine Line => line;

    public void Report(SessionProgress value)
    {
        // Sessions report from several threads.
        lock (line)
        {
            line.Report(value with { Doing = $"{name}: {value.Doing}" });
        }
    }
}
