using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.Actors;

/// <summary>The correctness check: after the last send everything in flight comes home, as the same message, exactly once.</summary>
internal static class Settlement
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    /// <summary>Stops all clients and waits for what is in flight.</summary>
    /// <exception cref="WrongAnswerException">Messages were lost, doubled or exchanged.</exception>
    public static void Check(IReadOnlyList<Exchange> exchanges) => Check(exchanges, Patience);

    /// <param name="exchanges">All of them.</param>
    /// <param name="patience">How long it waits for what may never come.</param>
    internal static void Check(IReadOnlyList<Exchange> exchanges, TimeSpan patience)
    {
        foreach (var exchange in exchanges)
        {
            exchange.Stop();
        }

        SpinWait.SpinUntil(() => exchanges.All(exchange => exchange.Sent > 0 && exchange.Replies == exchange.Sent), patience);
        foreach (var exchange in exchanges)
        {
            if (exchange.Replies != exchange.Sent || exchange.Wrong != 0 || exchange.Replies == 0)
            {
                throw new WrongAnswerException($"{exchange.Sent} messages were sent, {exchange.Replies} came back, {exchange.Wrong} of them not the one that was sent.");
            }
        }
    }
}
