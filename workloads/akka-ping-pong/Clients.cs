using Akka.Actor;
using PerfLab.Workloads.Actors;

namespace PerfLab.Workloads.AkkaPingPong;

/// <summary>The two kinds of client.</summary>
internal static class Clients
{
    /// <summary>How to make a client; <paramref name="kind"/> is actor-base or receive-actor.</summary>
    public static Func<Correspondence, Props> Of(string kind) => kind == "receive-actor"
        ? correspondence => Props.Create(() => new ReceiveActorClient(correspondence))
        : correspondence => Props.Create(() => new ActorBaseClient(correspondence));
}

/// <summary>The client as a plain ActorBase: one virtual call and type tests.</summary>
internal sealed class ActorBaseClient(Correspondence correspondence) : ActorBase
{
    protected override bool Receive(object message)
    {
        switch (message)
        {
            case Msg reply:
                correspondence.Reply(reply);
                return true;
            case Run:
                correspondence.Prime();
                return true;
            case Started:
                Sender.Tell(message);
                return true;
            default:
                return false;
        }
    }
}

/// <summary>The client as a ReceiveActor: handlers by type, called through delegates.</summary>
internal sealed class ReceiveActorClient : ReceiveActor
{
    public ReceiveActorClient(Correspondence correspondence)
    {
        Receive<Msg>(correspondence.Reply);
        Receive<Run>(_ => correspondence.Prime());
        Receive<Started>(message => Sender.Tell(message));
    }
}
