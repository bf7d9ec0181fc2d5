using Akka.Actor;

namespace PerfLab.Workloads.AkkaPingPong;

/// <summary>
/// What a client does, whichever kind of actor it is: primes its destination with messages, then sends a new one for each reply until its
/// share is sent. Only the client's own turns call it; others may read the counts.
/// </summary>
internal sealed class Exchange(IActorRef destination, int inFlight, long share)
{
    private readonly TaskCompletionSource<bool> _finished = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Msg _message = new();
    private PaddedCounts _counts;
    private long _share = share;

    public IActorRef Destination => destination;

    public long Sent => Volatile.Read(ref _counts.Sent);

    public long Replies => Volatile.Read(ref _counts.Replies);

    /// <summary>Replies that were not the message that was sent.</summary>
    public long Wrong => Volatile.Read(ref _counts.Wrong);

    /// <summary>Done when the share was sent and as many replies came.</summary>
    public Task Finished => _finished.Task;

    /// <summary>No new sends; what is in flight comes home.</summary>
    public void Stop() => Volatile.Write(ref _share, 0);

    public void Prime()
    {
        for (var message = 0; message < Math.Min(inFlight, _share); message++)
        {
            Send();
        }
    }

    public void Reply(Msg message)
    {
        if (!ReferenceEquals(message, _message))
        {
            Volatile.Write(ref _counts.Wrong, _counts.Wrong + 1);
        }

        Volatile.Write(ref _counts.Replies, _counts.Replies + 1);
        if (_counts.Sent < Volatile.Read(ref _share))
        {
            Send();
        }
        else if (_counts.Replies >= _share)
        {
            _finished.TrySetResult(true);
        }
    }

    // Tell without a sender takes the actor that is being run, as the original does.
    private void Send()
    {
        destination.Tell(_message);
        Volatile.Write(ref _counts.Sent, _counts.Sent + 1);
    }
}
