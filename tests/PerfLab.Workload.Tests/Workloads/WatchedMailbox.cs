using System.Threading.Channels;
using PerfLab.Workloads.Actors;

namespace PerfLab.Workload.Tests.Workloads;

/// <summary>
/// A mailbox that counts readers who met. A look has seen what it sees, then calls <c>looked</c> (with whether there was mail) and takes a
/// millisecond more: reason and time enough for a second reader to come, if there can be one. The channel inside is never touched by two
/// at once, so that a broken actor fails a test and not its process.
/// </summary>
internal sealed class WatchedMailbox : Channel<Message>
{
    private readonly Watched _reader;

    public WatchedMailbox(Action<bool> looked)
    {
        var mailbox = Actor.NewMailbox();
        Reader = _reader = new Watched(mailbox.Reader, looked);
        Writer = mailbox.Writer;
    }

    /// <summary>Looks that began before another one had ended.</summary>
    public int Meetings => _reader.Meetings;

    private sealed class Watched(ChannelReader<Message> mailbox, Action<bool> looked) : ChannelReader<Message>
    {
        private readonly Lock _one = new();
        private int _looking;
        private int _meetings;

        public int Meetings => Volatile.Read(ref _meetings);

        public override bool TryRead(out Message item)
        {
            Enter();
            bool found;
            lock (_one)
            {
                found = mailbox.TryRead(out item!);
            }

            Leave(found);
            return found;
        }

        public override bool TryPeek(out Message item)
        {
            Enter();
            bool found;
            lock (_one)
            {
                found = mailbox.TryPeek(out item!);
            }

            Leave(found);
            return found;
        }

        public override ValueTask<bool> WaitToReadAsync(CancellationToken cancellationToken = default) => throw new NotSupportedException();

        private void Enter()
        {
            if (Interlocked.Increment(ref _looking) > 1)
            {
                Interlocked.Increment(ref _meetings);
            }
        }

        private void Leave(bool found)
        {
            looked(found);
            Thread.Sleep(1);
            Interlocked.Decrement(ref _looking);
        }
    }
}
