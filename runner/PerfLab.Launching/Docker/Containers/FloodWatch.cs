namespace PerfLab.Launching.Docker.Containers;

/// <summary>
/// Tells when a launch has printed more than it may: the engine then has begun a second log file. One look a second costs
/// microseconds; the log itself is bounded by the engine either way.
/// </summary>
internal sealed class FloodWatch(string logPath)
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    private readonly string _rotated = logPath + ".1";

    /// <summary>Whether the log can be seen from here: not with an engine elsewhere, or without the right to look into its folder.</summary>
    public bool CanSee => logPath.Length > 0 && Directory.Exists(Path.GetDirectoryName(logPath));

    public bool Flooded => logPath.Length > 0 && File.Exists(_rotated);

    /// <summary>Completes when it flooded; otherwise only by cancellation.</summary>
    public async Task UntilFloodedAsync(CancellationToken cancellationToken)
    {
        if (!CanSee)
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
        }

        using var timer = new PeriodicTimer(Interval);
        while (!Flooded)
        {
            await timer.WaitForNextTickAsync(cancellationToken);
        }
    }
}
