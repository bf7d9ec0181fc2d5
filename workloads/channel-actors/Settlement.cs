using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.ChannelActors;

/// <summary>The correctness check: after the last send everything in flight comes home, as the same message, exactly once.</summary>
internal static class Settlement
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    /// <exception cref="WrongAnswerException">Messages were lost, doubled or exchanged.</exception>
    public static void Check(IReadOnlyList<Client> clients)
    {
        foreach (var client in clients)
        {
            client.Stop();
        }

        SpinWait.SpinUntil(() => clients.All(client => client.Replies == client.Sent), Patience);
        foreach (var client in clients)
        {
            if (client.Replies != client.Sent || client.Wrong != 0 || client.Replies == 0)
            {
                throw new WrongAnswerException($"{client.Sent} messages were sent, {client.Replies} came back, {client.Wrong} of them not the one that was sent.");
            }
        }
    }
}
