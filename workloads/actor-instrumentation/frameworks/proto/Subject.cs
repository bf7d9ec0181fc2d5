using PerfLab.WorkloadKit;
using Proto;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>
/// An actor of Proto.Actor with Proto.Actor's own metrics and the stand-in's spans: its own spans are in a package of their own
/// (Proto.OpenTelemetry), which not every package source has.
/// </summary>
internal sealed class Subject : IDisposable
{
    /// <summary>Name of the activity source that is listened to.</summary>
    public const string Source = Probe.Name;

    /// <summary>Name of the meter that this framework writes to.</summary>
    public const string Meter = "Proto.Actor";

    private readonly ActorSystem _system;
    private readonly PID _actor;
    private readonly Probe? _probe;

    private Subject(Settings settings)
    {
        _system = new ActorSystem(ActorSystemConfig.Setup().WithMetrics(settings.Metrics));
        _probe = Probe.OfSpans(settings, nameof(Receiver), () => "");
        _actor = _system.Root.Spawn(Props.FromProducer(() => _probe is null ? new Receiver(Tally) : new TracedReceiver(Tally, settings)));
    }

    /// <summary>None: each message has a duration, and those are counted.</summary>
    public static string? Counter => null;

    public Tally Tally { get; } = new();

    public static Subject Start(Settings settings) => !settings.Cached ? new(settings)
        : throw new RefusedException("parameter 'names' is 'cached', which Proto.Actor's own metrics do not offer; leave it out.");

    public void Tell(object message) => _system.Root.Send(_actor, _probe is null ? message : new Traced(message, _probe.Sending()));

    public void Dispose() => _system.ShutdownAsync().GetAwaiter().GetResult();
}
