using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Runtime.CompilerServices;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Reports;
using PerfLab.WorkloadKit;
using Windows = PerfLab.WorkloadKit.TimedWindows;

namespace PerfLab.BenchmarkDriver;

/// <summary>
/// BenchmarkDotNet's own engine, begun on code that is at rest: after the project's [GlobalSetup] the benchmark is called until the kit's rule
/// says so. BenchmarkDotNet then finds its number of calls, warms up and counts as it always does, and nothing is compiled meanwhile.
/// </summary>
internal sealed class RestedEngines : IEngineFactory
{
    private const double LongPiece = 0.02, ShortPiece = 0.005;
    private const long MostCalls = 1 << 28;

    /// <summary>AggressiveOptimization, also where the compiler does not know it (netstandard of old).</summary>
    private const MethodImplOptions Once = (MethodImplOptions)512;

    private readonly Launch _launch;
    private readonly Job _theirs;
    private readonly bool _hasIterationSetup;

    // Room for every iteration: nothing must be allocated while somebody's allocations are counted.
    private readonly List<long> _compiled = new(capacity: 1024);
    private readonly bool _isPilot;
    private bool _isSettled;
    private IEngine _engine;

    public RestedEngines(Launch launch, Job theirs, bool hasIterationSetup, bool isPilot) =>
        (_launch, _theirs, _hasIterationSetup, _isPilot) = (launch, theirs, hasIterationSetup, isPilot);

    /// <summary>Whether the project wants its benchmark cold: by its strategy, or by a warm-up of 0 iterations.</summary>
    private bool IsCold => Strategy == RunStrategy.ColdStart
        || (_theirs.HasValue(RunMode.WarmupCountCharacteristic) && _theirs.Run.WarmupCount == 0);

    private RunStrategy Strategy => _theirs.ResolveValue(RunMode.RunStrategyCharacteristic, EngineParameters.DefaultResolver);

#if AWAITED
    public IEngine Create(EngineParameters engineParameters) => CreateReadyToRun(engineParameters);
#endif

    public IEngine CreateReadyToRun(EngineParameters engineParameters)
    {
        var piece = IsCold ? null : Piece(engineParameters);
        if (IsCold || Strategy == RunStrategy.Monitoring)
        {
            StartsCold();
        }

        if (_isPilot)
        {
            // How many calls an iteration needs is looked at before the first one begins.
            EngineCalls.AfterGlobalSetup(engineParameters, () => Settle(piece));
        }

        Watch(engineParameters, piece);
        _engine = EngineCalls.Create(engineParameters);
        _compiled.Clear();
        return _engine;
    }

    /// <summary>The iterations that count, as windows of the launch; of what its project wants cold, that alone.</summary>
    public void Tell(IReadOnlyList<Measurement> measurements)
    {
        if (IsCold)
        {
            // That it becomes faster from call to call is what was asked for, and no age to warn of.
            _launch.Prove("age", "cold");
            return;
        }

        var all = measurements.Where(one => one.IterationMode == IterationMode.Workload
            && one.IterationStage is IterationStage.Pilot or IterationStage.Warmup or IterationStage.Actual).ToList();
        var counted = all.Where(one => one.IterationStage == IterationStage.Actual).ToList();
        var before = EngineCalls.WatchesJitting
            ? measurements.Count(one => one.IterationMode == IterationMode.Workload && one.IterationStage == IterationStage.Jitting) : 0;
        // With a setup of its own for each iteration the warm-up's windows hold that, too: they can't be put beside these.
        if (!_hasIterationSetup && _compiled.Count >= before + all.Count)
        {
            var end = 0.0;
            _launch.MeasuredElsewhere(new Windows(
                counted.Select(one => one.Operations / (one.Nanoseconds / 1e9)).ToList(),
                counted.Select(one => end += one.Nanoseconds / 1e9).ToList(),
                _compiled.Skip(before + all.Count - counted.Count).Take(counted.Count).ToList()));
        }
    }

    // Outside of what is timed: the engine calls these around every iteration. What is counted was compiled on the benchmark's own thread: new
    // code, and loops that are compiled while they run. In the background the engine's own methods reach their last tier just now.
    private void Watch(EngineParameters parameters, Func<long> piece)
    {
        var before = 0L;
        EngineCalls.AroundIterations(parameters, BeforeSetUp, Begin, End);

        void BeforeSetUp()
        {
            if (_engine is not null)
            {
                // What the engine itself needs to be compiled has begun with its overhead, which comes before.
                Settle(piece);
            }
        }

        [MethodImpl(Once)]
        void Begin() => before = RuntimeFacts.CompiledByThisThread();

        [MethodImpl(Once)]
        void End() => _compiled.Add(RuntimeFacts.CompiledByThisThread() - before);
    }

    /// <summary>That it was compiled tells who reads the list of compiled methods that compiling is a part of what is measured.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void StartsCold()
    {
    }

    [MethodImpl(Once)]
    private static double Since(long start) => (Stopwatch.GetTimestamp() - start) / (double)Stopwatch.Frequency;

    // Once: BenchmarkDotNet may set up again, between iterations.
    private void Settle(Func<long> piece)
    {
        if (!_isSettled && piece is not null)
        {
            _isSettled = true;
            _launch.Settle(piece);
        }
    }

    /// <summary>One turn of the warm-up: the project's iteration where it says what one is, else as many calls as take some milliseconds.</summary>
    private Func<long> Piece(EngineParameters parameters)
    {
        var calls = _theirs.HasValue(RunMode.InvocationCountCharacteristic) ? _theirs.Run.InvocationCount : 1L;
        var isFixed = _hasIterationSetup || _theirs.HasValue(RunMode.InvocationCountCharacteristic)
            || Strategy == RunStrategy.Monitoring;
        var (unroll, operations) = (EngineCalls.UnrollFactor(parameters), parameters.OperationsPerInvoke);
        var (unrolled, single) = EngineCalls.Workload(parameters);
        var (setUp, cleanUp) = _hasIterationSetup ? EngineCalls.Iteration(parameters) : (null, null);
        return Turn;

        // Compiled once, and asking for nothing that has to be looked up: it is called as often as what it calls.
        [MethodImpl(Once)]
        long Turn()
        {
            var done = calls;
            setUp?.Invoke();
            var start = Stopwatch.GetTimestamp();
            if (calls >= unroll)
            {
                unrolled(calls / unroll);
                done = calls / unroll * unroll;
            }
            else
            {
                single(calls);
            }

            var seconds = Since(start);
            cleanUp?.Invoke();
            if (!isFixed)
            {
                calls = seconds < ShortPiece && calls < MostCalls ? calls * 2 : seconds > LongPiece && calls > 1 ? calls / 2 : calls;
            }

            return done * operations;
        }
    }
}
