using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.EventPipe;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;
using PerfLab.Core.Profiles;

namespace PerfLab.Profiling;

/// <summary>The events of a trace that a profile is made of, in the order in which they happened.</summary>
internal sealed class TraceEvents
{
    private readonly Dictionary<int, (double Milliseconds, CallStackIndex Stack)> _waiting = [];
    private double? _suspended;

    public List<Sample> Samples { get; } = [];

    /// <summary>When something happened that is only counted, or took time, without a stack.</summary>
    public List<(ProfileFigure Figure, double Milliseconds, double Amount)> Counted { get; } = [];

    public static TraceEvents Of(TraceLog log)
    {
        var events = new TraceEvents();
        using var source = log.Events.GetSource();
        new SampleProfilerTraceEventParser(source).ThreadSample += events.OnSample;
        var clr = source.Clr;
        clr.GCAllocationTick += events.OnAllocation;
        clr.ContentionStart += events.OnContentionStart;
        clr.ContentionStop += events.OnContentionStop;
        clr.ExceptionStart += events.OnException;
        clr.GCStart += data => events.Counted.Add((ProfileFigure.Collections, data.TimeStampRelativeMSec, 1));
        clr.GCSuspendEEStart += data => events._suspended =
            data.Reason is GCSuspendEEReason.SuspendForGC or GCSuspendEEReason.SuspendForGCPrep ? data.TimeStampRelativeMSec : null;
        clr.GCRestartEEStop += events.OnRestart;
        clr.MethodJittingStarted += data => events.Counted.Add((ProfileFigure.CompiledMethods, data.TimeStampRelativeMSec, 1));
        source.Process();
        return events;
    }

    // A thread that runs native code or waits is "external": the runtime does not say which, so it is not counted as work.
    private void OnSample(ClrThreadSampleTraceData data) =>
        Samples.Add(new(ProfileKind.Processor, data.ThreadID, data.TimeStampRelativeMSec,
            data.Type == ClrThreadSampleType.Managed ? data.CallStackIndex() : CallStackIndex.Invalid, 0));

    private void OnAllocation(GCAllocationTickTraceData data) =>
        Samples.Add(new(ProfileKind.Allocation, data.ThreadID, data.TimeStampRelativeMSec, data.CallStackIndex(), data.AllocationAmount64));

    private void OnContentionStart(ContentionStartTraceData data) =>
        _waiting[data.ThreadID] = (data.TimeStampRelativeMSec, data.CallStackIndex());

    private void OnContentionStop(ContentionStopTraceData data)
    {
        if (_waiting.Remove(data.ThreadID, out var start))
        {
            Samples.Add(new(ProfileKind.Contention, data.ThreadID, start.Milliseconds, start.Stack,
                Math.Max(0, data.TimeStampRelativeMSec - start.Milliseconds) / 1000));
        }
    }

    private void OnException(ExceptionTraceData data) =>
        Samples.Add(new(ProfileKind.Exceptions, data.ThreadID, data.TimeStampRelativeMSec, data.CallStackIndex(), 1));

    private void OnRestart(GCNoUserDataTraceData data)
    {
        if (_suspended is { } from)
        {
            Counted.Add((ProfileFigure.CollectionPause, from, Math.Max(0, data.TimeStampRelativeMSec - from) / 1000));
            _suspended = null;
        }
    }
}

/// <param name="Stack">Invalid where there is none to count.</param>
/// <param name="Weight">In the unit of the kind; 0 for a processor sample, whose weight is the time between two looks.</param>
internal sealed record Sample(ProfileKind Kind, int Thread, double Milliseconds, CallStackIndex Stack, double Weight);
