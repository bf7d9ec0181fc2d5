namespace PerfLab.Core.Evidence;

/// <summary>What made the JIT compile a method; the rows of PerfView's "JIT Stats".</summary>
public enum JitTrigger
{
    /// <summary>A thread needed the code and waited for it; OSR counts here, too.</summary>
    Foreground,

    /// <summary>A profile of an earlier run asked for it ahead of time (ProfileOptimization).</summary>
    MulticoreBackground,

    /// <summary>Tiering: a hot method again, instrumented or optimised, on a thread of its own.</summary>
    TieredBackground,
}

/// <summary>Kinds of code, as the runtime numbers them in its MethodLoad events.</summary>
public enum JitTier
{
    /// <summary>A runtime that does not say.</summary>
    Unknown,
    MinOptJitted,
    Optimized,
    QuickJitted,
    OptimizedTier1,
    OptimizedTier1Osr,
    QuickJittedInstrumented,
    OptimizedTier1Instrumented,
}

/// <summary>Totals over some of the compiled methods.</summary>
/// <param name="Count">Compilations: a method compiled in three tiers counts three times.</param>
/// <param name="Milliseconds">Wall time on the compiling threads, not CPU time, as PerfView computes it.</param>
public sealed record JitTotals(int Count, double Milliseconds, long IlBytes, long NativeBytes)
{
    public static JitTotals None { get; } = new(0, 0, 0, 0);

    public JitTotals Add(JitCompilation one) =>
        new(Count + 1, Milliseconds + one.Milliseconds, IlBytes + one.IlBytes, NativeBytes + one.NativeBytes);
}

/// <summary>One method compiled once.</summary>
public sealed record JitCompilation(string Method, JitTrigger Trigger, JitTier Tier, double Milliseconds, long IlBytes, long NativeBytes);

/// <summary>A method over all its compilations.</summary>
/// <param name="Name">Type, method and signature: text from the measured program, hostile until rendered.</param>
public sealed record JitMethod(string Name, JitTotals Totals, IReadOnlyList<JitTier> Tiers);

/// <summary>What the JIT did in one launch, from its own events.</summary>
public sealed record JitStatistics
{
    public required JitTotals Total { get; init; }
    public required IReadOnlyDictionary<JitTrigger, JitTotals> ByTrigger { get; init; }
    public required IReadOnlyDictionary<JitTier, JitTotals> ByTier { get; init; }

    /// <summary>The dearest first.</summary>
    public required IReadOnlyList<JitMethod> TopMethods { get; init; }

    /// <summary>CPU time of the whole process in seconds; null when nobody knows.</summary>
    public double? ProcessCpuSeconds { get; init; }

    public JitTotals Of(JitTrigger trigger) => ByTrigger.GetValueOrDefault(trigger, JitTotals.None);

    public JitTotals Of(JitTier tier) => ByTier.GetValueOrDefault(tier, JitTotals.None);
}
