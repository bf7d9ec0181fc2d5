namespace PerfLab.Workloads.ChannelActors;

/// <summary>What travels: shared and immutable, passed by reference, so that the mailbox is all that is measured.</summary>
internal sealed class Message(Client sender)
{
    public Client Sender { get; } = sender;
}

/// <summary>Sends everything back to where it came from.</summary>
internal sealed class Destination(int batch) : Actor(batch)
{
    protected override void Receive(Message message) => message.Sender.Tell(message);
}

/// <summary>Keeps a fixed number of messages in flight to its destination: one new send for each reply, until told to stop.</summary>
internal sealed class Client : Actor
{
    private readonly Destination _destination;
    private readonly Message _message;
    private PaddedCounts _counts;
    private volatile bool _stopping;

    public Client(Destination destination, int batch)
        : base(batch)
    {
        _destination = destination;
        _message = new Message(this);
    }

    /// <summary>Messages sent so far; written by the actor's own turn only.</summary>
    public long Sent => Volatile.Read(ref _counts.Sent);

    /// <summary>Replies handled so far; written by the actor's own turn only.</summary>
    public long Replies => Volatile.Read(ref _counts.Replies);

    /// <summary>Replies that were not the message that was sent: the correctness check.</summary>
    public long Wrong => Volatile.Read(ref _counts.Wrong);

    /// <summary>Primes the pump. Call once, before anything is in flight.</summary>
    public void Start(int inFlight)
    {
        Volatile.Write(ref _counts.Sent, inFlight);
        for (var message = 0; message < inFlight; message++)
        {
            _destination.Tell(_message);
        }
    }

    /// <summary>No new sends; what is in flight comes home.</summary>
    public void Stop() => _stopping = true;

    protected override void Receive(Message message)
    {
        if (!ReferenceEquals(message, _message))
        {
            Volatile.Write(ref _counts.Wrong, _counts.Wrong + 1);
        }

        Volatile.Write(ref _counts.Replies, _counts.Replies + 1);
        if (!_stopping)
        {
            Volatile.Write(ref _counts.Sent, _counts.Sent + 1);
            _destination.Tell(_message);
        }
    }
}
