using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace PerfLab.WorkloadKit;

/// <summary>The slices of a launch in turns, as windows: what lies between two of them, while others had their turn, is in none.</summary>
internal sealed class SliceRecorder
{
    private readonly RuntimeSnapshot _before = RuntimeSnapshot.Take();
    private readonly long[] _compiled;
    private readonly double[] _ends;
    private readonly double[] _rates;
    private long _begun, _processorBegun, _compiledBegun, _units, _processor;
    private double _seconds;
    private int _count;

    public SliceRecorder(int slices) => (_compiled, _ends, _rates) = (new long[slices], new double[slices], new double[slices]);

    /// <summary>Of the slice that runs, in seconds.</summary>
    public double Elapsed
    {
        [MethodImpl(Recorder.CompiledOnce)]
        get => (Stopwatch.GetTimestamp() - _begun) / (double)Stopwatch.Frequency;
    }

    /// <summary>Of the slice that ended last, in ticks of the stopwatch.</summary>
    public long LastTicks { get; private set; }

    /// <summary>Nanoseconds of processor time in it; -1 where nobody can tell.</summary>
    public long LastProcessor { get; private set; }

    [MethodImpl(Recorder.CompiledOnce)]
    public void Begin()
    {
        _compiledBegun = RuntimeFacts.CompiledSoFar();
        _processorBegun = ProcessorClock.Nanoseconds();
        _begun = Stopwatch.GetTimestamp();
    }

    [MethodImpl(Recorder.CompiledOnce)]
    public void End(long units)
    {
        LastTicks = Stopwatch.GetTimestamp() - _begun;
        var processor = ProcessorClock.Nanoseconds();
        LastProcessor = processor < 0 ? -1 : processor - _processorBegun;
        var seconds = LastTicks / (double)Stopwatch.Frequency;
        _seconds += seconds;
        _units += units;
        _processor = LastProcessor < 0 || _processor < 0 ? -1 : _processor + LastProcessor;
        _rates[_count] = units / seconds;
        _ends[_count] = _seconds;
        _compiled[_count] = RuntimeFacts.CompiledSoFar() - _compiledBegun;
        _count++;
    }

    public Windows Finish()
    {
        var runtime = RuntimeSnapshot.Take().Since(_before);
        runtime.ProcessorSeconds = _processor < 0 ? null : _processor / 1e9;
        return new(_units, _seconds, new TimedWindows(_rates, _ends, _compiled), runtime);
    }
}
