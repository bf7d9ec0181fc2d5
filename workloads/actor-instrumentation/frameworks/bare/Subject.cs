using PerfLab.Workloads.Actors;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>A bare actor and the stand-in's probe.</summary>
internal sealed class Subject : IDisposable
{
    /// <summary>Name of the activity source that this framework writes to.</summary>
    public const string Source = Probe.Name;

    /// <summary>Name of the meter that this framework writes to.</summary>
    public const string Meter = Probe.Name;

    // What an actor's path is made from: with the stand-in's formatted names for each message.
    private static readonly string[] Path = ["perf-lab://instrumentation", "user", "receiver"];

    private readonly Receiver _actor;
    private readonly Probe? _probe;

    private Subject(Settings settings)
    {
        _probe = Probe.Of(settings, nameof(Receiver), () => string.Join("/", Path));
        _actor = new Receiver(Tally, _probe);
    }

    /// <summary>None: each message has a duration, and those are counted.</summary>
    public static string? Counter => null;

    public Tally Tally { get; } = new();

    public static Subject Start(Settings settings) => new(settings);

    public void Tell(object message) => _actor.Tell(new Message(message, _probe?.Sending()));

    public void Dispose()
    {
    }
}
