using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.ThreadPoolHop;

/// <summary>Who calls operations, one after another.</summary>
internal interface ICaller
{
    /// <summary>Operations that were called, those of the warm-up among them.</summary>
    long Operations { get; }

    /// <exception cref="WrongAnswerException">Answers were lost.</exception>
    Windows Measure(Launch launch);
}

/// <summary>A thread outside of the pool that waits for each: both it and a thread of the pool may have to be woken.</summary>
internal sealed class ThreadCaller(Chain chain) : ICaller
{
    private const int Piece = 100;

    public long Operations { get; private set; }

    public Windows Measure(Launch launch) => launch.Repeat(() =>
    {
        var answers = 0;
        for (var call = 0; call < Piece; call++)
        {
            answers += chain.RunAsync().GetAwaiter().GetResult();
        }

        Answers.Check(chain, Piece, answers);
        Operations += Piece;
        return Piece;
    });
}

/// <summary>An async method on the pool itself, whose thread is there already.</summary>
internal sealed class PoolCaller(Chain chain) : ICaller
{
    private volatile bool _stop;
    private long _done;
    private long _answers;

    public long Operations => Volatile.Read(ref _done);

    public Windows Measure(Launch launch)
    {
        var running = Task.Run(RunAsync);
        var windows = launch.Watch(() => Operations);
        _stop = true;
        running.GetAwaiter().GetResult();
        Answers.Check(chain, Operations, _answers);
        return windows;
    }

    private async Task RunAsync()
    {
        while (!_stop)
        {
            _answers += await chain.RunAsync();
            // Written here alone; the clock's thread reads it.
            Volatile.Write(ref _done, _done + 1);
        }
    }
}

internal static class Answers
{
    /// <exception cref="WrongAnswerException">The sum is not that of so many operations.</exception>
    public static void Check(Chain chain, long operations, long sum)
    {
        if (sum != operations * chain.Answer)
        {
            throw new WrongAnswerException($"{operations} operations that answer {chain.Answer} each came to {sum}.");
        }
    }
}
