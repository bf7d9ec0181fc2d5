using Akka.Actor;

namespace PerfLab.Workloads.AkkaPingPong;

/// <summary>Sends everything back to where it came from. An UntypedActor whatever the client is, as in the original.</summary>
internal sealed class Destination : UntypedActor
{
    protected override void OnReceive(object message)
    {
        if (message is Msg or Started)
        {
            Sender.Tell(message);
        }
    }
}

/// <summary>The client as a plain ActorBase: one virtual call and type tests.</summary>
internal sealed class ActorBaseClient(Exchange exchange) : ActorBase
{
    protected override bool Receive(object message)
    {
        switch (message)
        {
            case Msg reply:
                exchange.Reply(reply);
                return true;
            case Run:
                exchange.Prime();
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
    public ReceiveActorClient(Exchange exchange)
    {
        Receive<Msg>(exchange.Reply);
        Receive<Run>(_ => exchange.Prime());
        Receive<Started>(message => Sender.Tell(message));
    }
}
