using PerfLab.Core.Model;

namespace PerfLab.Calibration;

/// <summary>
/// Runs a simulation many times on all cores. Every repetition draws from a generator of its own, made from the seed, the name and its
/// number, so the sums do not depend on how many cores there are or who was faster.
/// </summary>
public static class SeededRuns
{
    /// <summary>Adds up the counters over all repetitions.</summary>
    /// <param name="run">What to repeat.</param>
    /// <param name="worker">Makes one worker a thread; it is called with a generator and adds to the counters.</param>
    public static long[] Sum(RepeatedRun run, Func<Action<SeededRandom, long[]>> worker)
    {
        var total = new long[run.Tallies];
        var done = 0;
        var merging = new Lock();
        Parallel.For(
            0,
            run.Repetitions,
            () => (Work: worker(), Counters: new long[run.Tallies]),
            (index, _, local) =>
            {
                local.Work(SeededRandom.For(run.Seed, $"{run.Name} {index}"), local.Counters);
                run.Progress?.Invoke((double)Interlocked.Increment(ref done) / run.Repetitions);
                return local;
            },
            local =>
            {
                lock (merging)
                {
                    for (var i = 0; i < total.Length; i++)
                    {
                        total[i] += local.Counters[i];
                    }
                }
            });
        return total;
    }
}

/// <param name="Name">Part of every repetition's seed.</param>
/// <param name="Tallies">Number of counters.</param>
/// <param name="Progress">Told the share that is done, from any thread; or null.</param>
public sealed record RepeatedRun(string Name, ulong Seed, int Repetitions, int Tallies, Action<double>? Progress = null);
