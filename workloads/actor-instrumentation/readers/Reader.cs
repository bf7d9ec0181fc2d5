using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>Who takes spans and measurements, counts them and lets them go.</summary>
internal abstract class Reader : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private long _spans;

    /// <summary>Spans taken so far.</summary>
    public long Spans => Volatile.Read(ref _spans);

    /// <summary>Durations taken so far, or what the framework's own counter says: at least one a message.</summary>
    public abstract long Measurements { get; }

    /// <summary>The reader that the settings name.</summary>
    public static Reader Start(Settings settings) => settings.Reader switch
    {
        "opentelemetry" => new OpenTelemetryReader(settings),
        "listener" => new ListenerReader(settings),
        _ => new Nobody(),
    };

    /// <summary>Holds what was seen against what was handled.</summary>
    /// <exception cref="WrongAnswerException">Something was missed, or seen that should not exist.</exception>
    public void Check(Settings settings, long handled)
    {
        Check("spans", () => Spans, settings.SpansAreSeen ? handled : 0);
        Check("measurements", () => Measurements, settings.MetricsAreSeen ? handled : 0);
    }

    public virtual void Dispose() => GC.SuppressFinalize(this);

    protected void TakeSpan() => Interlocked.Increment(ref _spans);

    // A framework's own hooks may say more than one thing about a message, and some about messages of its own. The last message is counted
    // as handled a moment before its span ends.
    private static void Check(string what, Func<long> seen, long expected)
    {
        var arrived = SpinWait.SpinUntil(() => seen() >= expected, Patience);
        if (!arrived || (expected == 0 && seen() != 0))
        {
            throw new WrongAnswerException($"{seen()} {what} were seen, and there should be {(expected == 0 ? "none" : $"at least {expected}")}.");
        }
    }

    private sealed class Nobody : Reader
    {
        public override long Measurements => 0;
    }
}
