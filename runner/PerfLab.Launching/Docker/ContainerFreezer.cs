using System.Net;
using PerfLab.Launching.Docker.Engine;
using PerfLab.Launching.Turns;

namespace PerfLab.Launching.Docker;

/// <summary>
/// Freezes a container by the engine, which whoever may launch may ask for, and reads from the clock of its cgroup whether any of it ran.
/// What the engine says of a container that has ended is no problem here: how it ended is told where that is waited for.
/// </summary>
internal sealed class ContainerFreezer(EngineClient engine, string name) : IFreezer
{
    private ContainerClock? _clock;
    private double? _before;

    /// <summary>The kernel adds up to the nanosecond, or microsecond, what each thread ran on its way to standing still.</summary>
    public double Tolerance => 0.001;

    public string? Freeze()
    {
        _before = null;
        ContainerDetails? container = null;
        var problem = _clock is not null ? null : Asked(async token => container = await engine.InspectContainerAsync(name, token));
        if (container is { State.Running: true } && (_clock = ContainerClock.Of(container)) is null)
        {
            return ContainerClock.IsMissing;
        }

        problem ??= Asked(token => engine.PauseContainerAsync(name, token));
        _before = _clock?.Seconds();
        return problem;
    }

    public double RanSince() => _before is { } before ? Math.Max(0, (_clock!.Seconds() ?? before) - before) : 0;

    public string? Thaw() => Asked(token => engine.UnpauseContainerAsync(name, token)) is { } problem && IsRunning() ? problem : null;

    /// <remarks>An engine lets a paused container go on when it kills it.</remarks>
    public void Kill() => _ = Asked(token => engine.KillContainerAsync(name, token));

    // Of one that has ended engines say that it is not paused, each with another status.
    private bool IsRunning()
    {
        ContainerDetails? container = null;
        _ = Asked(async token => container = await engine.InspectContainerAsync(name, token));
        return container?.State.Running != false;
    }

    private static string? Asked(Func<CancellationToken, Task> ask)
    {
        try
        {
            // On the thread of its round, which has nothing else to do.
            ask(CancellationToken.None).GetAwaiter().GetResult();
            return null;
        }
        catch (EngineException failure)
        {
            return failure.Status is HttpStatusCode.Conflict or HttpStatusCode.NotFound ? null : failure.Message;
        }
    }
}
