using Akka.Actor;

namespace PerfLab.Workloads.AkkaRemote;

/// <summary>Sends everything back to where it came from; deployed from the clients' side onto the other.</summary>
internal sealed class Echo : UntypedActor
{
    protected override void OnReceive(object message) => Sender.Tell(message);
}

/// <summary>Tells its echo actor one more for each message that comes in.</summary>
internal sealed class Client(Exchange exchange, IActorRef echo) : UntypedActor
{
    protected override void OnReceive(object message)
    {
        if (exchange.Handle(message))
        {
            echo.Tell(message);
        }
    }
}
