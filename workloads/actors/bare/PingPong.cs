namespace PerfLab.Workloads.Actors;

/// <summary>What travels: shared and immutable, passed by reference, so that the mailbox is all that is measured.</summary>
internal sealed class Message(Client? sender)
{
    /// <summary>Tells a client to begin.</summary>
    public static readonly Message Run = new(null);

    public Client? Sender { get; } = sender;
}

/// <summary>Sends everything back to where it came from.</summary>
internal sealed class Destination(int batch) : Actor(batch)
{
    protected override void Receive(Message message) => message.Sender!.Tell(message);
}

/// <summary>Keeps a fixed number of messages in flight to its destination: one new send for each reply.</summary>
internal sealed class Client : Actor
{
    private readonly Destination _destination;
    private readonly Exchange _exchange;
    private readonly Message _message;

    public Client(Destination destination, Exchange exchange, int batch)
        : base(batch)
    {
        _destination = destination;
        _exchange = exchange;
        _message = new Message(this);
    }

    protected override void Receive(Message message)
    {
        var same = ReferenceEquals(message, _message);
        if (!same && ReferenceEquals(message, Message.Run))
        {
            for (var left = _exchange.Prime(); left > 0; left--)
            {
                _destination.Tell(_message);
            }
        }
        else if (_exchange.Reply(same))
        {
            _destination.Tell(_message);
        }
    }
}
