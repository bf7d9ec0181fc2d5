// For benchmarks/turns: five programs of which turns may see too little or too much. What is timed is the same in base and in head,
// about a tenth of a millisecond of work; head has more of what goes on beside it, or of what it leaves behind.
using System.Diagnostics;
using PerfLab.WorkloadKit;

return WorkloadProgram.Run(args, launch =>
{
    var which = launch.Parameters.Choice("case", "background", "catch-up", "timer", "cache", "collection");
    var more = launch.Parameters.Integer("more", standard: 0, minimum: 0, maximum: 1) == 1;
    launch.Parameters.Check();
    var windows = launch.Repeat(which switch
    {
        "background" => Beside.Thread(more, catchesUp: false),
        "catch-up" => Beside.Thread(more, catchesUp: true),
        "timer" => Beside.Timer(more),
        "cache" => Memory.Cache(more),
        _ => Memory.Collection(more),
    });
    launch.Report("throughput", windows.PerSecond, "op/s");
    launch.ReportWindows("throughput", windows.Rates);
});

/// <summary>Work that goes on beside the timed one, for the launch with one core.</summary>
internal static class Beside
{
    private static Timer? s_timer;
    private static ulong s_sum;

    /// <summary>A thread that works 0.2 ms (head: 0.6 ms) for every 2 ms of the clock. One that catches up does what it missed.</summary>
    public static Func<long> Thread(bool more, bool catchesUp)
    {
        var share = more ? 0.6 : 0.2;
        new Thread(() =>
        {
            var begun = Stopwatch.GetTimestamp();
            while (true)
            {
                Spin(share);
                while (Stopwatch.GetElapsedTime(begun).TotalMilliseconds < 2)
                {
                    System.Threading.Thread.Sleep(1);
                }

                // Without it the next 2 ms begin now, and those that passed in the meantime are nobody's.
                begun = catchesUp ? begun + (Stopwatch.Frequency / 500) : Stopwatch.GetTimestamp();
            }
        })
        { IsBackground = true }.Start();
        return Piece;
    }

    /// <summary>A timer due every 2 ms, which works 0.2 ms (head: 0.6 ms).</summary>
    public static Func<long> Timer(bool more)
    {
        var share = more ? 0.6 : 0.2;
        s_timer = new Timer(_ => Spin(share), null, 2, 2);
        return Piece;
    }

    private static long Piece()
    {
        s_sum += Steps(65_536);
        GC.KeepAlive(s_timer);
        return 1;
    }

    // As much work as takes so long on a quiet core; counted, so that a slow moment does not make it less.
    private static void Spin(double milliseconds) => GC.KeepAlive(Steps((int)(milliseconds * 800_000)));

    private static ulong Steps(int number)
    {
        ulong state = 1;
        for (var step = 0; step < number; step++)
        {
            state = (state * 6364136223846793005) + 1442695040888963407;
        }

        return state;
    }
}

/// <summary>What a program leaves in the caches, and what the collector has to look at.</summary>
internal static class Memory
{
    /// <summary>Reads 16 MB in random order, 1,000 reads a piece; head also writes the next 128 KB of 64 MB, which pushes out what was read.</summary>
    public static Func<long> Cache(bool more)
    {
        var next = Cycle(16 * 1024 * 1024 / sizeof(int));
        var filler = new byte[64 * 1024 * 1024];
        const int Written = 128 * 1024;
        var (at, from) = (0, 0);
        return () =>
        {
            for (var read = 0; read < 1000; read++)
            {
                at = next[at];
            }

            if (more)
            {
                filler.AsSpan(from, Written).Fill((byte)at);
                from = (from + Written) % filler.Length;
            }

            return 1;
        };
    }

    /// <summary>Replaces 1,000 of 200,000 living objects a piece (head: of 1,000,000), so that the collector always has work beside it.</summary>
    public static Func<long> Collection(bool more)
    {
        var living = new object[more ? 1_000_000 : 200_000];
        var random = new Random(1);
        for (var place = 0; place < living.Length; place++)
        {
            living[place] = new long[6];
        }

        return () =>
        {
            for (var number = 0; number < 1000; number++)
            {
                living[random.Next(200_000)] = new long[6];
            }

            return 1;
        };
    }

    // Every place leads to another one, and all of them are one circle (Sattolo, "An algorithm to generate a random cyclic permutation", 1986).
    private static int[] Cycle(int length)
    {
        var next = Enumerable.Range(0, length).ToArray();
        var random = new Random(1);
        for (var place = length - 1; place > 0; place--)
        {
            var other = random.Next(place);
            (next[place], next[other]) = (next[other], next[place]);
        }

        return next;
    }
}
