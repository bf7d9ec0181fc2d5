using PerfLab.Core.Statistics.Exact;
using PerfLab.Machine.Kernel;

namespace PerfLab.Machine.SelfTests;

/// <summary>What one kind of work takes on one core while the lanes beside it are idle, and while they are busy.</summary>
/// <param name="Lanes">How many cores worked at once, the measured one among them.</param>
/// <param name="Kind">As in <see cref="SelfTestFigures.Parts"/>.</param>
/// <param name="Core">The core on which the neighbours cost most.</param>
/// <param name="AloneSeconds">Median.</param>
/// <param name="TogetherSeconds">Median.</param>
/// <param name="Shift">Median over the pairs of how much longer it took, a fraction.</param>
/// <param name="Spread">How far the pairs lie apart (1.4826 × median absolute deviation), a fraction of the same kind as the shift.</param>
/// <param name="Pairs">How many pairs that is.</param>
public sealed record LaneFigure(
    int Lanes, string Kind, int Core, double AloneSeconds, double TogetherSeconds, double Shift, double Spread, int Pairs)
{
    /// <summary>Standard error of a median of normal noise, in standard errors of the mean: the root of π / 2.</summary>
    private const double MedianFactor = 1.2533;

    /// <summary>
    /// As large as the smallest change that the default policy lets count (its margin, 1 %): base and head take turns, and a neighbour
    /// that is busy beside one of them and idle beside the other would look like a change of this size.
    /// </summary>
    public const double MostShift = 0.01;

    /// <summary>How large the shift may be in truth: two standard errors more than was seen. A busy machine shows nothing.</summary>
    public double Bound => Math.Abs(Shift) + (2 * MedianFactor * Spread / Math.Sqrt(Pairs));

    /// <summary>The pairs show that the neighbours cost less than counts.</summary>
    public bool IsQuiet => Bound <= MostShift;
}

/// <summary>
/// Whether cells could be measured beside each other on disjoint cores of this machine: the self-test's work on one core, alone and with
/// the same work on the others, in turns, so that slow drift falls out. Cores share caches, memory, clock and heat, and a sibling thread
/// shares nearly everything.
/// </summary>
public static class LaneTest
{
    /// <summary>Pairs for each core and kind of work: about half a second each.</summary>
    public const int Pairs = 15;

    private static readonly string[] Kinds = ["arithmetic", "memory", "systemCalls"];

    /// <summary>
    /// The worst core for each number of lanes (2, 4, 8 … and all) and kind of work; null where threads can't be pinned to a core.
    /// </summary>
    /// <param name="time">Measures.</param>
    /// <param name="cores">Those that workloads may use; fewer than two make no lanes.</param>
    /// <param name="pairs">At least three.</param>
    public static IReadOnlyList<LaneFigure>? Run(TimeProvider time, IReadOnlyList<int> cores, int pairs = Pairs)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(pairs, 3);
        var figures = new List<LaneFigure>();
        foreach (var lanes in Counts(cores.Count))
        {
            IReadOnlyList<int> used = [.. cores.TakeLast(lanes)];
            foreach (var kind in Kinds)
            {
                var each = used.Select(core => Measure(time, kind, core, [.. used.Where(other => other != core)], pairs)).ToList();
                if (each.Contains(null))
                {
                    return null;
                }

                figures.Add(each.OfType<LaneFigure>().MaxBy(figure => figure.Bound)!);
            }
        }

        return figures;
    }

    /// <summary>
    /// The most cores that were shown to be quiet beside each other for every kind of work, and fewer too; 1 when there are none.
    /// </summary>
    public static int MostQuiet(IReadOnlyList<LaneFigure> figures) => figures.GroupBy(figure => figure.Lanes).OrderBy(lanes => lanes.Key)
        .TakeWhile(lanes => lanes.All(figure => figure.IsQuiet)).LastOrDefault()?.Key ?? 1;

    internal static IEnumerable<int> Counts(int cores)
    {
        for (var lanes = 2; lanes < cores; lanes *= 2)
        {
            yield return lanes;
        }

        if (cores >= 2)
        {
            yield return cores;
        }
    }

    private static LaneFigure? Measure(TimeProvider time, string kind, int core, IReadOnlyList<int> others, int pairs)
    {
        var (alone, together) = (new double[pairs], new double[pairs]);
        var isPinned = true;
        using var neighbours = new Neighbours(kind, others);
        using var work = Work.Of(kind);
        OwnThread.Run("lane", () =>
        {
            isPinned = CpuAffinity.PinThisThread([core]);
            work.Once();
            for (var pair = 0; pair < pairs; pair++)
            {
                // Which goes first takes turns too.
                foreach (var isBusy in pair % 2 == 0 ? new[] { false, true } : [true, false])
                {
                    neighbours.Set(isBusy);
                    var started = time.GetTimestamp();
                    work.Once();
                    (isBusy ? together : alone)[pair] = time.GetElapsedTime(started).TotalSeconds;
                }
            }

            neighbours.Set(isBusy: false);
        });
        if (!isPinned || !neighbours.ArePinned)
        {
            return null;
        }

        double[] shifts = [.. alone.Zip(together, (one, both) => one > 0 ? (both / one) - 1 : 0)];
        return new(others.Count + 1, kind, core, Median.Of(alone), Median.Of(together), Median.Of(shifts), Median.Deviation(shifts), pairs);
    }

    /// <summary>One thread on each other core, which sleeps or works.</summary>
    private sealed class Neighbours : IDisposable
    {
        private readonly ManualResetEventSlim _busy = new();
        private readonly List<Thread> _threads = [];
        private volatile bool _isOver;
        private volatile bool _isUnpinned;
        private int _working;

        public Neighbours(string kind, IReadOnlyList<int> cores)
        {
            foreach (var core in cores)
            {
                var thread = new Thread(() => Run(kind, core)) { Name = "neighbour", IsBackground = true };
                thread.Start();
                _threads.Add(thread);
            }
        }

        public bool ArePinned => !_isUnpinned;

        /// <summary>Comes back when all of them are at work, or all at rest.</summary>
        public void Set(bool isBusy)
        {
            if (isBusy)
            {
                _busy.Set();
            }
            else
            {
                _busy.Reset();
            }

            var wanted = isBusy ? _threads.Count : 0;
            SpinWait.SpinUntil(() => Volatile.Read(ref _working) == wanted);
        }

        public void Dispose()
        {
            _isOver = true;
            _busy.Set();
            _threads.ForEach(thread => thread.Join());
            _busy.Dispose();
        }

        private void Run(string kind, int core)
        {
            _isUnpinned |= !CpuAffinity.PinThisThread([core]);
            using var work = Work.Of(kind);
            work.Once();
            while (true)
            {
                _busy.Wait();
                if (_isOver)
                {
                    return;
                }

                Interlocked.Increment(ref _working);
                while (_busy.IsSet && !_isOver)
                {
                    work.Once();
                }

                Interlocked.Decrement(ref _working);
            }
        }
    }

    private sealed record Work(Action Once, IDisposable? Held) : IDisposable
    {
        public static Work Of(string kind)
        {
            if (kind != "memory")
            {
                return new(kind == "arithmetic" ? () => Arithmetic.Once() : SystemCalls.Once, null);
            }

            var sweep = new MemorySweep();
            return new(sweep.Once, sweep);
        }

        public void Dispose() => Held?.Dispose();
    }
}
