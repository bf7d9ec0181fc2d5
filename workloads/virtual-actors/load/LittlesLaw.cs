using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>Closed loop: latency × throughput is the number of messages in flight, whatever is measured. Off by more, a figure is wrong.</summary>
internal static class LittlesLaw
{
    private const double Margin = 0.05;

    /// <param name="perSecond">Messages a second.</param>
    /// <param name="meanLatency">In seconds.</param>
    /// <param name="inFlight">Messages that there were in flight at any time: one for each sender.</param>
    /// <returns>What came out, for the evidence: "29.8 of 30".</returns>
    /// <exception cref="WrongAnswerException">They disagree by more than 5 %.</exception>
    public static string Check(double perSecond, double meanLatency, int inFlight)
    {
        var found = perSecond * meanLatency;
        // Asked the other way round, so that no number at all does not pass.
        return Math.Abs((found / inFlight) - 1) <= Margin
            ? FormattableString.Invariant($"{found:0.##} of {inFlight}")
            : throw new WrongAnswerException(FormattableString.Invariant(
                $"latency × throughput is {found:0.##} messages in flight, but there were {inFlight}: one of the two is wrong."));
    }
}
