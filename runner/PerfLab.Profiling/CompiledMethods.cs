using Microsoft.Diagnostics.Tracing;

namespace PerfLab.Profiling;

/// <summary>A method that a process compiled, or that was inlined into one.</summary>
/// <param name="Type">"Ns.Outer+Type`1[System.__Canon]".</param>
/// <param name="Name">Without parameters.</param>
/// <param name="IlBytes">Null of one that was inlined: its event does not say.</param>
public sealed record CompiledMethod(string Type, string Name, int? IlBytes);

/// <summary>
/// Every method that a trace names as compiled or inlined. The trace comes from a measured program: what the library throws is a problem
/// of the file.
/// </summary>
public static class CompiledMethods
{
    private const int MostMethods = 200_000;

    public static (IReadOnlyCollection<CompiledMethod> Methods, TraceReading Reading) Read(byte[] trace)
    {
        var methods = new HashSet<CompiledMethod>();
        if (!trace.AsSpan().StartsWith("Nettrace"u8))
        {
            return (methods, new("this is not a .nettrace file: it does not begin with 'Nettrace'"));
        }

        using var source = new EventPipeEventSource(new MemoryStream(trace, writable: false));
        var events = 0L;
        source.Clr.MethodJittingStarted += data => Add(new(data.MethodNamespace, data.MethodName, data.MethodILSize));
        source.Clr.MethodInliningSucceeded += data => Add(new(data.InlineeNamespace, data.InlineeName, null));
        source.AllEvents += _ => events++;
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

        return (methods, new(methods.Count < MostMethods ? problem
            : "it names more methods than any that was seen", events, source.EventsLost));

        void Add(CompiledMethod method)
        {
            if (methods.Count < MostMethods)
            {
                methods.Add(method);
            }
        }
    }
}
