using PerfLab.Core.Evidence;

namespace PerfLab.Runner.Flow;

/// <summary>What a trace says about the runtime beside the JIT, in short sentences.</summary>
internal static class JitFacts
{
    public static IReadOnlyList<string> Of(RuntimeTraceFacts trace)
    {
        var facts = new List<string>();
        if (trace.RuntimeVersion is { } version)
        {
            facts.Add($"runtime {version}");
        }

        if (trace.SettingsFlags is { } flags)
        {
            facts.Add(Invariant($"settings event flags {flags} (QuickJit {flags & 1}, QuickJitForLoops {(flags >> 1) & 1}, TieredPGO {(flags >> 2) & 1}, ReadyToRun {(flags >> 3) & 1})"));
        }

        return facts;
    }
}
