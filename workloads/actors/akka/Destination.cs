using Akka.Actor;

namespace PerfLab.Workloads.Actors;

/// <summary>Sends everything back to where it came from. An UntypedActor whatever the client is, as in the originals.</summary>
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
