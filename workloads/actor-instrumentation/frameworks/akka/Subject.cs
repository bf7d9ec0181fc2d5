using Akka.Actor;
using Akka.Configuration;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>An actor of Akka.NET and the stand-in's probe: Akka.NET's own telemetry says nothing about messages.</summary>
internal sealed class Subject : IDisposable
{
    /// <summary>Name of the activity source that this framework writes to.</summary>
    public const string Source = Probe.Name;

    /// <summary>Name of the meter that this framework writes to.</summary>
    public const string Meter = Probe.Name;

    private readonly ActorSystem _system;
    private readonly IActorRef _actor;
    private readonly Probe? _probe;

    private Subject(Settings settings)
    {
        _system = ActorSystem.Create("instrumentation", ConfigurationFactory.ParseString("akka.loglevel = ERROR"));
        _probe = Probe.Of(settings, nameof(Receiver), () => "");
        var tally = Tally;
        _actor = _system.ActorOf(_probe is null ? Props.Create(() => new Receiver(tally)) : Props.Create(() => new InstrumentedReceiver(tally, settings)), "receiver");
    }

    /// <summary>None: each message has a duration, and those are counted.</summary>
    public static string? Counter => null;

    public Tally Tally { get; } = new();

    public static Subject Start(Settings settings) => new(settings);

    public void Tell(object message)
    {
        var cause = _probe?.Sending();
        _actor.Tell(_probe is { Carries: true } ? new Traced(message, cause) : message, ActorRefs.NoSender);
    }

    public void Dispose() => _system.Terminate().GetAwaiter().GetResult();
}
