using PerfLab.Core.Evidence;

namespace PerfLab.Launching.Proof.Traces;

/// <summary>
/// Joins "jitting started" with the "method loaded" that ends it on the same thread, and says what triggered it by PerfView's rule
/// (TraceEvent, Computers/TraceManagedProcess.cs, MethodComplete).
/// </summary>
internal sealed class JitPairs(JitTally tally)
{
    private const uint Jitted = 0x8;

    /// <summary>Compilations begun on one thread and not ended: they nest a few deep, never this deep.</summary>
    private const int MostOpen = 1024;

    /// <summary>A method that every runtime calls before Main and ships precompiled (dotnet/runtime, AppContext.CoreCLR).</summary>
    private const string CoreLibraryMethod = "System.AppContext.Setup";

    private readonly Dictionary<long, List<Open>> _open = [];
    private long? _multicoreThread;

    public bool CoreLibraryWasJitted { get; private set; }

    /// <summary>Event 145: MethodID, ModuleID, token, IL size, then three texts.</summary>
    public void Started(scoped in TraceEvent traceEvent)
    {
        var fields = new ByteCursor(traceEvent.Payload);
        var method = fields.Int64();
        fields.Take(12);
        var ilBytes = fields.Int32();
        if (fields.Overrun)
        {
            return;
        }

        if (!_open.TryGetValue(traceEvent.ThreadId, out var open))
        {
            _open.Add(traceEvent.ThreadId, open = []);
        }

        if (open.Count < MostOpen)
        {
            open.Add(new(method, traceEvent.Milliseconds, Math.Max(0, ilBytes)));
        }
    }

    /// <summary>Event 143: MethodID, ModuleID, address, size, token, flags, namespace, name, signature, instance, version of the code.</summary>
    public void Loaded(scoped in TraceEvent traceEvent)
    {
        var fields = new ByteCursor(traceEvent.Payload);
        var method = fields.Int64();
        fields.Take(16);
        var nativeBytes = (uint)fields.Int32();
        fields.Take(4);
        var flags = (uint)fields.Int32();
        var name = $"{Text(fields.Utf16())}.{Text(fields.Utf16())}";
        var signature = Text(fields.Utf16());
        fields.UInt16();
        var version = traceEvent.Kind.Version >= 2 ? fields.Int64() : 0;
        if (fields.Overrun || (flags & Jitted) == 0)
        {
            return;
        }

        CoreLibraryWasJitted |= name == CoreLibraryMethod;
        var tier = (JitTier)((flags >> 7) & 7);
        var start = Close(traceEvent.ThreadId, method);
        tally.Add(new(
            signature.Length == 0 ? name : $"{name} {signature}",
            Trigger(traceEvent.ThreadId, tier, version), tier,
            start is null ? 0 : Math.Max(0, traceEvent.Milliseconds - start.Milliseconds), start?.IlBytes ?? 0, nativeBytes));
    }

    /// <summary>Private event 201: the thread that waits for modules of a recorded profile is the multicore JIT's.</summary>
    public void Multicore(scoped in TraceEvent traceEvent)
    {
        var fields = new ByteCursor(traceEvent.Payload);
        fields.UInt16();
        if (_multicoreThread is null && Text(fields.Utf16()) is "GROUPWAIT" or "JITTHREAD")
        {
            _multicoreThread = traceEvent.ThreadId;
        }
    }

    private JitTrigger Trigger(long thread, JitTier tier, long version) =>
        thread == _multicoreThread ? JitTrigger.MulticoreBackground
        : tier == JitTier.OptimizedTier1Osr || version == 0 ? JitTrigger.Foreground
        : JitTrigger.TieredBackground;

    private Open? Close(long thread, long method)
    {
        if (!_open.TryGetValue(thread, out var open) || open.FindLastIndex(one => one.Method == method) is not (>= 0 and var at))
        {
            return null;
        }

        var start = open[at];
        open.RemoveAt(at);
        return start;
    }

    private static string Text(ReadOnlySpan<byte> utf16) => Encoding.Unicode.GetString(utf16);

    private sealed record Open(long Method, double Milliseconds, int IlBytes);
}
