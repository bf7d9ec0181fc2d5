using System.Threading.Channels;

namespace PerfLab.Workloads.ChannelActors;

/// <summary>
/// An actor as thin as it gets: a mailbox and a turn. A turn handles up to <c>batch</c> messages on the thread pool, then gives the
/// thread back, as the dispatchers of actor frameworks do. No actor is ever on two threads at once.
/// </summary>
internal abstract partial class Actor : IThreadPoolWorkItem
{
    // One reader (the turn), many writers; the partner's continuation must not run on the writer's stack.
    private readonly Channel<Message> _mailbox = Channel.CreateUnbounded<Message>(
        new UnboundedChannelOptions { SingleReader = true, SingleWriter = false, AllowSynchronousContinuations = false });

    private readonly int _batch;
    private int _scheduled;

    protected Actor(int batch) => _batch = batch;

    public void Tell(Message message)
    {
        Count(1);
        _mailbox.Writer.TryWrite(message);
        Schedule();
    }

    public void Execute()
    {
        var handled = 0;
        for (; handled < _batch && _mailbox.Reader.TryRead(out var message); handled++)
        {
            Receive(message);
        }

        Count(-handled);

        // Open the door first, look after: a message that came in between is seen by one of the two. It takes a full fence: with a
        // plain volatile write the look could come first, and a message would wait for ever.
        Interlocked.Exchange(ref _scheduled, 0);
        if (HasMail)
        {
            Schedule();
        }
    }

    protected abstract void Receive(Message message);

    // Compiled away where a channel can be looked into.
    partial void Count(int messages);

#if NET5_0_OR_GREATER
    private bool HasMail => _mailbox.Reader.TryPeek(out _);
#else
    // A channel of .NET Core 3.1 can't be looked into, so the actor counts: one interlocked addition for each message and for each turn.
    private int _waiting;

    private bool HasMail => Volatile.Read(ref _waiting) > 0;

    partial void Count(int messages) => Interlocked.Add(ref _waiting, messages);
#endif

    private void Schedule()
    {
        if (Interlocked.Exchange(ref _scheduled, 1) == 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: true);
        }
    }
}
