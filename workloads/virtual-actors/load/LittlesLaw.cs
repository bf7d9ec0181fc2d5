using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>Closed loop: latency × throughput is the number of messages in flight, whatever is measured. Off by more, a figure is wrong.</summary>
internal static class LittlesLaw
{
    private const double Margin = 0.05;

    /// <summary>However long one message took, more than this is not believed.</summary>
    private const double MostAtTheEdges = 0.2;

    /// <param name="perSecond">Messages a second.</param>
    /// <param name="meanLatency">In seconds.</param>
    /// <param name="inFlight">Messages that there were in flight at any time: one for each sender.</param>
    /// <param name="atTheEdges">
    /// The longest latency as a share of the measured time. What was in flight when measuring began counts with its whole latency: in a
    /// stall that is every message.
    /// </param>
    /// <returns>What came out, for the evidence: "29.8 of 30".</returns>
    /// <exception cref="WrongAnswerException">They disagree by more than 5 % and what the edges explain.</exception>
    public static string Check(double perSecond, double meanLatency, int inFlight, double atTheEdges = 0)
    {
        var found = perSecond * meanLatency;
        // Asked the other way round, so that no number at all does not pass.
        return Math.Abs((found / inFlight) - 1) <= Margin + Math.Min(atTheEdges, MostAtTheEdges)
            ? FormattableString.Invariant($"{found:0.##} of {inFlight}")
            : throw new WrongAnswerException(FormattableString.Invariant(
                $"latency × throughput is {found:0.##} messages in flight, but there were {inFlight}: one of the two is wrong."));
    }
}
