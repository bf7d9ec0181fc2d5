using Akka.Actor;

namespace PerfLab.Workloads.Actors;

/// <summary>What a client of Akka.NET does, whichever kind of actor it is. Only the client's own turns call it.</summary>
internal sealed class Correspondence(IActorRef destination, Exchange exchange)
{
    private readonly Msg _message = new();

    public void Prime()
    {
        for (var left = exchange.Prime(); left > 0; left--)
        {
            Send();
        }
    }

    public void Reply(Msg message)
    {
        if (exchange.Reply(ReferenceEquals(message, _message)))
        {
            Send();
        }
    }

    // Tell without a sender takes the actor that is being run, as the original does.
    private void Send() => destination.Tell(_message);
}
