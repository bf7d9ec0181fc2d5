using System.Runtime.CompilerServices;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.CalibratedSpin;

/// <summary>Arithmetic that no compiler can shorten: every step needs the one before (a 64-bit linear congruential generator).</summary>
internal static class Arithmetic
{
    private const ulong Multiplier = 6364136223846793005;
    private const ulong Increment = 1442695040888963407;

    // Optimised from its first call on. As a tiered method each call would begin in unoptimised code and change over after a thousand steps
    // (on-stack replacement): some 4 µs for each piece that no effect is a share of, so that 10 % more steps took 9.4 % more time.
    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    public static ulong Spin(ulong state, long iterations)
    {
        for (long iteration = 0; iteration < iterations; iteration++)
        {
            state = (state * Multiplier) + Increment;
        }

        return state;
    }

    /// <summary>The generator's closed form for many steps at once gives the same state as walking them: no step was skipped.</summary>
    /// <exception cref="WrongAnswerException">It was not.</exception>
    public static void Check()
    {
        const long Steps = 100_003;
        var (multiplier, increment) = (1UL, 0UL);
        var (power, sum) = (Multiplier, Increment);
        for (var left = Steps; left > 0; left >>= 1)
        {
            if ((left & 1) == 1)
            {
                (multiplier, increment) = (multiplier * power, (increment * power) + sum);
            }

            (power, sum) = (power * power, (power + 1) * sum);
        }

        if (Spin(42, Steps) != (42 * multiplier) + increment)
        {
            throw new WrongAnswerException($"{Steps} steps of the generator did not give its closed form.");
        }
    }
}
