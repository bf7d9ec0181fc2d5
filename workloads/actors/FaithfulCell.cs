using System.Diagnostics;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.Actors;

/// <summary>One cell of the old sweeps: a fixed number of exchanges that nobody warmed up, on a clock of milliseconds, with integer division.</summary>
internal static class FaithfulCell
{
    /// <summary>Runs the pairs until every client has its share, and ends them.</summary>
    /// <param name="launch">Where the work and its time are counted.</param>
    /// <param name="pairs">Pairs that nobody used; each client's share is finite.</param>
    /// <param name="repeat">Exchanges that the rate is computed from; those that did not fit into equal shares are counted, as in the originals.</param>
    /// <param name="clockAfterRun">Whether the clock starts when the clients have been told to begin, or before.</param>
    /// <returns>msg/s in steps of 1,000; 0 below a millisecond.</returns>
    public static long Rate(Launch launch, IPairs pairs, long repeat, bool clockAfterRun)
    {
        var watch = new Stopwatch();
        launch.Once(() =>
        {
            watch.Start();
            pairs.Run();
            if (clockAfterRun)
            {
                watch.Restart();
            }

            Task.WaitAll([.. pairs.Exchanges.Select(exchange => exchange.Finished)]);
            watch.Stop();
            return 2 * pairs.Exchanges.Sum(exchange => exchange.Replies);
        });
        pairs.Terminate();
        if (pairs.Exchanges.Any(exchange => exchange.Wrong != 0))
        {
            throw new WrongAnswerException("a reply was not the message that was sent.");
        }

        return watch.ElapsedMilliseconds == 0 ? 0 : 2 * repeat / watch.ElapsedMilliseconds * 1000;
    }
}
