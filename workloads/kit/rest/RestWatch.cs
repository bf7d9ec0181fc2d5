using System;
using System.Runtime.CompilerServices;

namespace PerfLab.WorkloadKit;

/// <summary>Ends one warm-up: not before its least time, then as soon as <see cref="RestRule"/> says so, at its bound in any case.</summary>
internal sealed class RestWatch
{
    /// <param name="least">It lasts at least so long.</param>
    /// <param name="bound">And at most so long, but for the piece of work that is being done.</param>
    /// <param name="quiet">Seconds without a method compiled that rest asks for.</param>
    public RestWatch(TimeSpan least, TimeSpan bound, double quiet)
    {
        (Least, Bound, Quiet) = (least.TotalSeconds, bound.TotalSeconds, quiet);

        // All of the rule, once and now: what is compiled when it is first asked would be held against the program.
        var rising = new double[RestRule.TrendWindows];
        for (var window = 0; window < rising.Length; window++)
        {
            rising[window] = window + 1;
        }

        RestRule.Judge(quiet, rising, rising, new long[rising.Length], rising.Length);
    }

    /// <summary>In seconds.</summary>
    public double Least { get; }

    /// <summary>In seconds.</summary>
    public double Bound { get; }

    /// <summary>In seconds.</summary>
    public double Quiet { get; }

    /// <summary>How long it took.</summary>
    public double Seconds { get; private set; }

    /// <summary>At rest: before its bound.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>What was not at rest when it ended; that nothing was seen to come to rest is no rest, either.</summary>
    public Restless Why { get; private set; } = Restless.Compiling;

    /// <summary>Whether the warm-up is over; asked at the end of a window.</summary>
    [MethodImpl(Recorder.CompiledOnce)]
    public bool IsOver(Recorder recorder)
    {
        Why = recorder.Judge(Quiet);
        HasEnded = recorder.LastEnd >= Least && Why == Restless.No;
        return HasEnded;
    }

    /// <summary>Its last window has ended. What was said of the windows before holds: ending is compiled, too.</summary>
    public void End(Recorder recorder) => Seconds = recorder.LastEnd;
}
