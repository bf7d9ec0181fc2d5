using System.Buffers.Binary;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;
using PerfLab.Core.Evidence;

namespace PerfLab.Profiling;

/// <summary>
/// From a runtime's events to what they say of its settings, its JIT and its collector. The traces come from measured programs: what the
/// library throws is a problem of the file. Payloads: learn.microsoft.com/dotnet/fundamentals/diagnostics/runtime-events.
/// </summary>
public sealed class RuntimeTrace
{
    private const int GcDynamic = 39, Start = 187, Multicore = 201, Collected = 205, Settings = 280;
    private const int MostDynamicNames = 64;
    private const int MostNameLength = 64;

    private readonly JitTally _tally = new();
    private readonly SortedDictionary<string, int> _dynamicEvents = new(StringComparer.Ordinal);
    private int? _settings;
    private string? _version;
    private int? _heaps;
    private int _collections;
    private bool _coreLibraryWasJitted;

    /// <summary>Never throws for what the bytes are.</summary>
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
        var first = new byte[8];
        var count = stream.ReadAtLeast(first, first.Length, throwOnEndOfStream: false);
        if (count == 0)
        {
            return new("the trace is empty: the process ended before the runtime wrote anything");
        }

        if (!first.AsSpan().SequenceEqual("Nettrace"u8))
        {
            return new("this is not a .nettrace file: it does not begin with 'Nettrace'");
        }

        stream.Position -= count;
        using var source = new EventPipeEventSource(stream);
        var (jit, events, milliseconds) = (new JitPairs(_tally), 0L, 0.0);
        source.Clr.MethodJittingStarted += jit.Started;
        source.Clr.MethodLoadVerbose += jit.Loaded;
        source.AllEvents += data =>
        {
            (events, milliseconds) = (events + 1, data.TimeStampRelativeMSec > milliseconds ? data.TimeStampRelativeMSec : milliseconds);
            On(data, jit);
        };
        string? problem = null;
        try
        {
            source.Process();
        }
#pragma warning disable CA1031 // The library throws anything about a broken file.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            problem = $"the trace stops in the middle, or is damaged: {exception.Message}";
        }

        _coreLibraryWasJitted |= jit.CoreLibraryWasJitted;
        var longest = TimeSpan.MaxValue.TotalMilliseconds / 2;
        return new(problem, events, source.EventsLost, TimeSpan.FromMilliseconds(milliseconds < longest ? milliseconds : longest));
    }

    private void On(TraceEvent data, JitPairs jit)
    {
        var isRuntime = data.ProviderGuid == ClrTraceEventParser.ProviderGuid;
        var isRundown = data.ProviderGuid == ClrRundownTraceEventParser.ProviderGuid;
        switch ((int)data.ID)
        {
            case Settings when isRuntime || isRundown:
                // The number of the runtime in its process, then the flags.
                _settings = data.EventData() is { Length: >= 6 } settings ? BinaryPrimitives.ReadInt32LittleEndian(settings.AsSpan(2)) : _settings;
                break;
            case Start when isRuntime || isRundown:
                Started(data.EventData());
                break;
            case Multicore when data.ProviderGuid == ClrPrivateTraceEventParser.ProviderGuid:
                jit.Multicore(data.ThreadID, Text(data.EventData(), from: 2));
                break;
            case Collected when isRuntime && data.EventData() is { Length: >= 12 } history:
                // The final budget, then the number of heaps.
                _heaps = Math.Max(_heaps ?? 0, BinaryPrimitives.ReadInt32LittleEndian(history.AsSpan(8)));
                _collections++;
                break;
            case GcDynamic when isRuntime:
                Dynamic(Text(data.EventData(), from: 0));
                break;
        }
    }

    // Instance, SKU, version of the base library, then the runtime's own.
    private void Started(ReadOnlySpan<byte> payload)
    {
        if (payload.Length >= 18)
        {
            var (major, minor, build) = (Number(payload[12..]), Number(payload[14..]), Number(payload[16..]));
            _version = Invariant($"{major}.{minor}.{build}");
        }

        static int Number(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt16LittleEndian(bytes);
    }

    private void Dynamic(string name)
    {
        if (name.Length is 0 or > MostNameLength || !name.All(char.IsAsciiLetterOrDigit))
        {
            return;
        }

        if (_dynamicEvents.ContainsKey(name) || _dynamicEvents.Count < MostDynamicNames)
        {
            _dynamicEvents[name] = _dynamicEvents.GetValueOrDefault(name) + 1;
        }
    }

    /// <summary>UTF-16 up to a zero; empty where there is none.</summary>
    private static string Text(byte[] payload, int from)
    {
        var text = from < payload.Length ? Encoding.Unicode.GetString(payload.AsSpan(from)) : "";
        return text.IndexOf('\0', StringComparison.Ordinal) is >= 0 and var end ? text[..end] : "";
    }
}
