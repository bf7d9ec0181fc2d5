using System.Threading.Channels;

namespace PerfLab.Workloads.Actors;

/// <summary>
/// An actor as thin as it gets: a mailbox and a turn. A turn handles up to <c>batch</c> messages on the thread pool, then gives the
/// thread back, as the dispatchers of actor frameworks do. No actor is ever on two threads at once. What travels is the program's own
/// type <c>Message</c>, a class or a struct.
/// </summary>
/// <remarks>
/// The mailbox has one reader: the turn, and nobody looks into it without one. So the turn can't give itself up and look for mail
/// afterwards. Instead, who writes says so in <see cref="_state"/>, and a turn ends only when nobody said so since it last looked.
/// Three operations meet on that word, and each of them is a full fence:
/// <list type="bullet">
/// <item>Tell: write the message, then set <see cref="Told"/>.</item>
/// <item>Turn: set <see cref="Reading"/>, then read until the mailbox is empty.</item>
/// <item>Turn: from <see cref="Reading"/> to <see cref="Idle"/>, and only from there.</item>
/// </list>
/// A Tell before the second has its message read. One between the second and the third makes the third fail, and the turn reads again.
/// One after the third finds <see cref="Idle"/> and begins the next turn. No message waits for ever, and a Tell costs one exchange.
/// </remarks>
internal abstract class Actor : IThreadPoolWorkItem
{
    private const int Idle = 0;
    private const int Reading = 1;
    private const int Told = 2;

    private readonly Channel<Message> _mailbox;
    private readonly int _batch;
    private int _state = Idle;

    // What a full turn read and leaves to the next one: reading is how it learns that there is more, without a turn for nothing.
    private Message? _left;

    /// <param name="batch">Messages that a turn handles at most.</param>
    /// <param name="mailbox">Another mailbox than the usual one, for who wants to see how it is used.</param>
    protected Actor(int batch, Channel<Message>? mailbox = null)
    {
        _batch = batch;
        _mailbox = mailbox ?? NewMailbox();
    }

    // One reader (the turn), many writers; the partner's continuation must not run on the writer's stack.
    public static Channel<Message> NewMailbox() => Channel.CreateUnbounded<Message>(
        new UnboundedChannelOptions { SingleReader = true, SingleWriter = false, AllowSynchronousContinuations = false });

    public void Tell(Message message)
    {
        _mailbox.Writer.TryWrite(message);
        if (Interlocked.Exchange(ref _state, Told) == Idle)
        {
            Queue();
        }
    }

    public void Execute()
    {
        var handled = 0;
        if (_left is { } left)
        {
            _left = null;
            Receive(left);
            handled++;
        }

        do
        {
            Interlocked.Exchange(ref _state, Reading);
            while (_mailbox.Reader.TryRead(out var message))
            {
                if (handled++ == _batch)
                {
                    // The turn is passed on and not given up: nobody else can begin one.
                    _left = message;
                    Queue();
                    return;
                }

                Receive(message);
            }
        }
        while (Interlocked.CompareExchange(ref _state, Idle, Reading) != Reading);
    }

    protected abstract void Receive(Message message);

    private void Queue() => ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: true);
}
