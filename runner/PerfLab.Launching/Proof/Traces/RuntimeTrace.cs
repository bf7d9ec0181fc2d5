using PerfLab.Core.Evidence;

namespace PerfLab.Launching.Proof.Traces;

/// <summary>
/// From a runtime's events to what they say. Layouts of the payloads: learn.microsoft.com/dotnet/fundamentals/diagnostics/runtime-events,
/// and TraceEvent's ClrTraceEventParser, against which the tests check this reader.
/// </summary>
public sealed class RuntimeTrace
{
    private const string Runtime = "Microsoft-Windows-DotNETRuntime";
    private const string Rundown = Runtime + "Rundown";
    private const string Private = Runtime + "Private";
    private const int MostDynamicNames = 64;
    private const int MostNameLength = 64;

    private readonly JitTally _tally = new();
    private readonly SortedDictionary<string, int> _dynamicEvents = new(StringComparer.Ordinal);
    private int? _settings;
    private string? _version;
    private int? _heaps;
    private int _collections;
    private bool _coreLibraryWasJitted;
    private JitPairs _jit;

    public RuntimeTrace() => _jit = new(_tally);

    /// <summary>Reads a trace as hostile input: never throws for what the bytes are.</summary>
    public static (RuntimeTraceFacts Facts, TraceReading Reading) Read(Stream stream)
    {
        var trace = new RuntimeTrace();
        var reading = trace.Add(stream);
        return (trace.Facts, reading);
    }

    /// <inheritdoc cref="Read(Stream)"/>
    public static (RuntimeTraceFacts Facts, TraceReading Reading) Read(byte[] bytes) => Read(new MemoryStream(bytes, writable: false));

    /// <summary>Everything so far.</summary>
    public RuntimeTraceFacts Facts => new()
    {
        SettingsFlags = _settings,
        RuntimeVersion = _version,
        Heaps = _heaps,
        Collections = _collections,
        GcDynamicEvents = _dynamicEvents,
        CoreLibraryWasJitted = _coreLibraryWasJitted,
        Jit = _tally.Statistics(),
    };

    /// <summary>Adds the trace of one process: a launch may start several, and each writes its own.</summary>
    public TraceReading Add(Stream stream)
    {
        _jit = new(_tally); // threads and methods of another process have nothing to do with these
        var reading = NetTraceFile.Read(stream, On);
        _coreLibraryWasJitted |= _jit.CoreLibraryWasJitted;
        return reading;
    }

    private void On(scoped in TraceEvent traceEvent)
    {
        switch (traceEvent.Kind)
        {
            case { Id: 280, Provider: Runtime or Rundown }:
                Settings(traceEvent.Payload);
                break;
            case { Id: 187, Provider: Runtime or Rundown }:
                Start(traceEvent.Payload);
                break;
            case { Id: 145, Provider: Runtime }:
                _jit.Started(traceEvent);
                break;
            case { Id: 143, Provider: Runtime }:
                _jit.Loaded(traceEvent);
                break;
            case { Id: 201, Provider: Private }:
                _jit.Multicore(traceEvent);
                break;
            case { Id: 205, Provider: Runtime }:
                Collected(traceEvent.Payload);
                break;
            case { Id: 39, Provider: Runtime }:
                Dynamic(traceEvent.Payload);
                break;
        }
    }

    private void Settings(ReadOnlySpan<byte> payload)
    {
        var fields = new ByteCursor(payload);
        fields.UInt16(); // CLR instance
        var flags = fields.Int32();
        _settings = fields.Overrun ? _settings : flags;
    }

    private void Start(ReadOnlySpan<byte> payload)
    {
        var fields = new ByteCursor(payload);
        fields.Take(12); // instance, SKU, version of the base library
        var (major, minor, build) = (fields.UInt16(), fields.UInt16(), fields.UInt16());
        if (!fields.Overrun)
        {
            _version = Invariant($"{major}.{minor}.{build}");
        }
    }

    // GCGlobalHeapHistory: final budget, then the number of heaps.
    private void Collected(ReadOnlySpan<byte> payload)
    {
        var fields = new ByteCursor(payload);
        fields.Take(8);
        var heaps = fields.Int32();
        if (!fields.Overrun)
        {
            (_heaps, _collections) = (Math.Max(_heaps ?? 0, heaps), _collections + 1);
        }
    }

    private void Dynamic(ReadOnlySpan<byte> payload)
    {
        var name = Encoding.Unicode.GetString(new ByteCursor(payload).Utf16());
        if (name.Length > MostNameLength || !name.All(char.IsAsciiLetterOrDigit))
        {
            return;
        }

        if (_dynamicEvents.ContainsKey(name) || _dynamicEvents.Count < MostDynamicNames)
        {
            _dynamicEvents[name] = _dynamicEvents.GetValueOrDefault(name) + 1;
        }
    }
}
