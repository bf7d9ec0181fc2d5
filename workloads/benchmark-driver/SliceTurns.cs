using System;
using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using PerfLab.WorkloadKit;

namespace PerfLab.BenchmarkDriver;

/// <summary>
/// BenchmarkDotNet in turns: each of its actual iterations is a slice. Its own events say where one begins and ends, on the thread of its
/// engine and outside of what it times, so standing still there holds the engine and nothing else.
/// </summary>
internal sealed class SliceTurns : EventListener
{
    private const string Source = "BenchmarkDotNet.EngineEventSource", Starts = "WorkloadActualStart", Stops = "WorkloadActualStop";

    /// <summary>AggressiveOptimization, also where the compiler does not know it (netstandard of old).</summary>
    private const MethodImplOptions Once = (MethodImplOptions)512;

    private readonly Turns _turns;
    private readonly long _operations;
    private bool _hasBegun;
    private long _begun, _processorBegun;

    private SliceTurns(Turns turns, long operations) => (_turns, _operations) = (turns, operations);

    /// <summary>Null where nobody asked for turns, and in a pilot.</summary>
    /// <param name="launch">Of this program.</param>
    /// <param name="operations">Of one iteration.</param>
    public static SliceTurns Of(Launch launch, long operations) => launch.TakeTurns() is { } turns ? new SliceTurns(turns, operations) : null;

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == Source)
        {
            EnableEvents(eventSource, EventLevel.Informational);
        }
    }

    [MethodImpl(Once)]
    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        // The base class may tell of events before this one is constructed.
        if (_turns is null)
        {
            return;
        }

        if (eventData.EventName == Stops && _hasBegun)
        {
            var took = Stopwatch.GetTimestamp() - _begun;
            var processor = ProcessorClock.Nanoseconds();
            _turns.Say(_operations, (long)(took * (1e9 / Stopwatch.Frequency)), processor < 0 || _processorBegun < 0 ? -1 : processor - _processorBegun);
        }
        else if (eventData.EventName == Starts)
        {
            if (!_hasBegun)
            {
                _hasBegun = true;
                _turns.Begin();
            }

            _processorBegun = ProcessorClock.Nanoseconds();
            _begun = Stopwatch.GetTimestamp();
        }
    }
}
