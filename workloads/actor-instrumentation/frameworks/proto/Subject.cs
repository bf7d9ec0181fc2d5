using PerfLab.WorkloadKit;
using Proto;
using Proto.OpenTelemetry;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>An actor of Proto.Actor with Proto.Actor's own metrics and tracing.</summary>
internal sealed class Subject : IDisposable
{
    /// <summary>Name of the activity source that this framework writes to.</summary>
    public const string Source = ProtoTags.ActivitySourceName;

    /// <summary>Name of the meter that this framework writes to.</summary>
    public const string Meter = ProtoTags.ActivitySourceName;

    private readonly ActorSystem _system;
    private readonly IRootContext _root;
    private readonly PID _actor;

    private Subject(Settings settings)
    {
        _system = new ActorSystem(ActorSystemConfig.Setup().WithMetrics(settings.Metrics));
        var props = Props.FromProducer(() => new Receiver(Tally));
        _root = settings.Tracing ? _system.Root.WithTracing() : _system.Root;
        _actor = _system.Root.Spawn(settings.Tracing ? props.WithTracing() : props);
    }

    /// <summary>None: each message has a duration, and those are counted.</summary>
    public static string? Counter => null;

    public Tally Tally { get; } = new();

    public static Subject Start(Settings settings) => !settings.Cached ? new(settings)
        : throw new RefusedException("parameter 'names' is 'cached', which Proto.Actor's own hooks do not offer; leave it out.");

    public void Tell(object message) => _root.Send(_actor, message);

    public void Dispose() => _system.ShutdownAsync().GetAwaiter().GetResult();
}
