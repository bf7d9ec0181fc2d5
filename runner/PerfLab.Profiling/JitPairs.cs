using Microsoft.Diagnostics.Tracing.Parsers.Clr;
using PerfLab.Core.Evidence;

namespace PerfLab.Profiling;

/// <summary>
/// Joins "jitting started" with the "method loaded" that ends it on the same thread, and says what triggered it by PerfView's rule. The
/// library has the same (TraceLoadedDotNetRuntime.JIT), in one piece with books about the collector, whose length a trace can name.
/// </summary>
internal sealed class JitPairs(JitTally tally)
{
    /// <summary>Compilations begun on one thread and not ended: they nest a few deep, never this deep.</summary>
    private const int MostOpen = 1024;

    /// <summary>A method that every runtime calls before Main and ships precompiled (dotnet/runtime, AppContext.CoreCLR).</summary>
    private const string CoreLibraryMethod = "System.AppContext.Setup";

    private readonly Dictionary<int, List<Open>> _open = [];
    private int? _multicoreThread;

    public bool CoreLibraryWasJitted { get; private set; }

    public void Started(MethodJittingStartedTraceData data)
    {
        if (!_open.TryGetValue(data.ThreadID, out var open))
        {
            _open.Add(data.ThreadID, open = []);
        }

        if (open.Count < MostOpen)
        {
            open.Add(new(data.MethodID, data.TimeStampRelativeMSec, Math.Max(0, data.MethodILSize)));
        }
    }

    public void Loaded(MethodLoadUnloadVerboseTraceData data)
    {
        if (!data.IsJitted)
        {
            return;
        }

        var name = $"{data.MethodNamespace}.{data.MethodName}";
        var signature = data.MethodSignature;
        CoreLibraryWasJitted |= name == CoreLibraryMethod;
        var tier = (JitTier)data.OptimizationTier;
        var start = Close(data.ThreadID, data.MethodID);
        tally.Add(new(
            signature.Length == 0 ? name : $"{name} {signature}",
            Trigger(data.ThreadID, tier, data.ReJITID), tier,
            start is null ? 0 : Math.Max(0, data.TimeStampRelativeMSec - start.Milliseconds), start?.IlBytes ?? 0,
            (uint)data.MethodSize));
    }

    /// <summary>The thread that waits for modules of a recorded profile is the multicore JIT's.</summary>
    public void Multicore(int thread, string what)
    {
        if (_multicoreThread is null && what is "GROUPWAIT" or "JITTHREAD")
        {
            _multicoreThread = thread;
        }
    }

    private JitTrigger Trigger(int thread, JitTier tier, long version) =>
        thread == _multicoreThread ? JitTrigger.MulticoreBackground
        : tier == JitTier.OptimizedTier1Osr || version == 0 ? JitTrigger.Foreground
        : JitTrigger.TieredBackground;

    private Open? Close(int thread, long method)
    {
        if (!_open.TryGetValue(thread, out var open) || open.FindLastIndex(one => one.Method == method) is not (>= 0 and var at))
        {
            return null;
        }

        var start = open[at];
        open.RemoveAt(at);
        return start;
    }

    private sealed record Open(long Method, double Milliseconds, int IlBytes);
}
