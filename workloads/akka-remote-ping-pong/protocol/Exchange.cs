using System.Runtime.InteropServices;

namespace PerfLab.Workloads.AkkaRemote;

/// <summary>What a client has done. Only the client's own turns write; others read the counts.</summary>
internal sealed class Exchange(int window, long limit)
{
    /// <summary>What travels: a string, which the primitive serialiser of Akka.Remote handles.</summary>
    public const string Hit = "hit";

    private readonly TaskCompletionSource<bool> _finished = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private PaddedCounts _counts;
    private long _limit = limit;

    public long Sent => Volatile.Read(ref _counts.Sent);

    /// <summary>Replies; the messages that primed the client are not counted.</summary>
    public long Replies => Volatile.Read(ref _counts.Handled) - window;

    /// <summary>Messages that were not what was sent.</summary>
    public long Wrong => Volatile.Read(ref _counts.Wrong);

    /// <summary>Done when a message came after the last that was to be sent.</summary>
    public Task Finished => _finished.Task;

    /// <summary>No new sends; what is in flight comes home.</summary>
    public void Stop() => Volatile.Write(ref _limit, 0);

    /// <summary>Counts a message that came in; true when another one is to be sent.</summary>
    public bool Handle(object message)
    {
        if (message as string != Hit)
        {
            Volatile.Write(ref _counts.Wrong, _counts.Wrong + 1);
        }

        var more = _counts.Sent < Volatile.Read(ref _limit);
        if (more)
        {
            // Before the message is counted as handled, so that replies never seem to outnumber what was sent.
            Volatile.Write(ref _counts.Sent, _counts.Sent + 1);
        }
        else
        {
            _finished.TrySetResult(true);
        }

        Volatile.Write(ref _counts.Handled, _counts.Handled + 1);
        return more;
    }

    // A cache line of room on both sides: neighbours in memory must not slow each other down.
    [StructLayout(LayoutKind.Explicit, Size = 192)]
    private struct PaddedCounts
    {
        [FieldOffset(64)]
        public long Sent;

        [FieldOffset(72)]
        public long Handled;

        [FieldOffset(80)]
        public long Wrong;
    }
}
