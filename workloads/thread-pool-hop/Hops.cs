using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.ThreadPoolHop;

/// <summary>Whether the thread pool really was in between: it counts what it ran.</summary>
internal static class Hops
{
    /// <summary>Some of the pool's work is the program's own: a loop is started by it, a timer's callback runs on it.</summary>
    private const long Others = 10_000;

    /// <exception cref="WrongAnswerException">
    /// The pool ran less than the operations need, or something although nothing was to hop.
    /// </exception>
    public static void Check(bool hops, long operations, long ran)
    {
        if (hops && ran < operations)
        {
            throw new WrongAnswerException($"{operations} operations hopped, and the thread pool ran {ran}.");
        }

        if (!hops && ran > Others)
        {
            throw new WrongAnswerException($"nothing was to hop, and the thread pool ran {ran}.");
        }
    }
}
