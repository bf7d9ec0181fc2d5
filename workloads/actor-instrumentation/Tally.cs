using PerfLab.Workloads.Actors;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>What the actor has handled. Its own turns write, others read.</summary>
internal sealed class Tally
{
    private PaddedCounts _counts;

    public long Handled => Volatile.Read(ref _counts.Handled);

    /// <summary>Messages of another type than the three that are sent.</summary>
    public long Wrong => Volatile.Read(ref _counts.Wrong);

    /// <summary>The actor's work: which of the three types it is, and one more.</summary>
    public void Count(object message)
    {
        switch (message)
        {
            case string:
            case int:
            case Person:
                break;
            default:
                Volatile.Write(ref _counts.Wrong, _counts.Wrong + 1);
                break;
        }

        Volatile.Write(ref _counts.Handled, _counts.Handled + 1);
    }
}
