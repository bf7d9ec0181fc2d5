namespace PerfLab.Workloads.Actors;

/// <summary>
/// What a client of a ping-pong counts and decides, whichever framework carries its messages: how many it sends at first, and whether another
/// one follows a reply, until its share is sent. Only the client's own turns call <see cref="Prime"/> and <see cref="Reply"/>; others may read.
/// </summary>
internal sealed class Exchange(int inFlight, long share)
{
    private readonly TaskCompletionSource<bool> _finished = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private PaddedCounts _counts;
    private long _share = share;

    public long Sent => Volatile.Read(ref _counts.Sent);

    public long Replies => Volatile.Read(ref _counts.Handled);

    /// <summary>Replies that were not the message that was sent: the correctness check.</summary>
    public long Wrong => Volatile.Read(ref _counts.Wrong);

    /// <summary>Done when the share was sent and as many replies came.</summary>
    public Task Finished => _finished.Task;

    /// <summary>No new sends: what is in flight comes home. A client whose turn never came still sends what it begins with, once.</summary>
    public void Stop() => Volatile.Write(ref _share, Math.Min(Volatile.Read(ref _share), inFlight));

    /// <summary>How many messages the client has to send at first, which are counted as sent.</summary>
    public int Prime()
    {
        var first = (int)Math.Min(inFlight, Volatile.Read(ref _share));
        Volatile.Write(ref _counts.Sent, first);
        return first;
    }

    /// <summary>Counts a reply; true when the client has to send another message, which is counted as sent.</summary>
    /// <param name="same">Whether the reply is the message that was sent.</param>
    public bool Reply(bool same)
    {
        if (!same)
        {
            Volatile.Write(ref _counts.Wrong, _counts.Wrong + 1);
        }

        Volatile.Write(ref _counts.Handled, _counts.Handled + 1);
        if (_counts.Sent < Volatile.Read(ref _share))
        {
            Volatile.Write(ref _counts.Sent, _counts.Sent + 1);
            return true;
        }

        if (_counts.Handled >= _share)
        {
            _finished.TrySetResult(true);
        }

        return false;
    }
}
