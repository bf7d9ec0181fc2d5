using Akka.Actor;
using PerfLab.Workloads.Actors;

namespace PerfLab.Workloads.ActorSweep;

/// <summary>Akka.NET; both actors of a pair are UntypedActors, as in the original.</summary>
internal static class Framework
{
    public static IPairs Start(PairSettings settings, long share) =>
        PairSystem.Start(settings, share, correspondence => Props.Create(() => new Client(correspondence)));
}

internal sealed class Client(Correspondence correspondence) : UntypedActor
{
    protected override void OnReceive(object message)
    {
        switch (message)
        {
            case Msg reply:
                correspondence.Reply(reply);
                break;
            case Run:
                correspondence.Prime();
                break;
            case Started:
                Sender.Tell(message);
                break;
        }
    }
}
