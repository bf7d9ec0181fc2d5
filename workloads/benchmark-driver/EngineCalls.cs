using System;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using Perfolizer.Horology;
using RunMode = BenchmarkDotNet.Jobs.RunMode;
#if AWAITED
using BenchmarkDotNet.Helpers;
#endif

namespace PerfLab.BenchmarkDriver;

/// <summary>
/// What of BenchmarkDotNet is called in one way before 0.16 and in another from then on, when it began to await benchmarks, setups and
/// exporters. Here all of it looks as before.
/// </summary>
internal static class EngineCalls
{
    public static IToolchain InThisProcess()
    {
#if AWAITED
        return new InProcessEmitToolchain(new() { ExecuteOnSeparateThread = true });
#else
        return new InProcessEmitToolchain(TimeSpan.FromDays(1), logOutput: true);
#endif
    }

    public static BenchmarkRunInfo Info(BenchmarkCase benchmark, Type type, ImmutableConfig config)
    {
#if AWAITED
        return new BenchmarkRunInfo(new[] { benchmark }, type, config, new CompositeInProcessDiagnoser(Array.Empty<IInProcessDiagnoser>()));
#else
        return new BenchmarkRunInfo(new[] { benchmark }, type, config);
#endif
    }

    /// <summary>From 0.16 on the engine waits until methods are in their last tier; they are when the kit has found them at rest.</summary>
    public static Job WithoutTiers(Job job)
    {
#if AWAITED
        return job.WithJitTieringMode(JitTieringMode.Skip);
#else
        return job;
#endif
    }

    /// <summary>BenchmarkDotNet's full JSON of what ran.</summary>
    public static string Json(Summary summary)
    {
        var exporter = (JsonExporter)JsonExporter.FullCompressed;
#if AWAITED
        using var bytes = new MemoryStream();
        using (var writer = new CancelableStreamWriter(bytes))
        {
            exporter.ExportAsync(summary, writer, CancellationToken.None).AsTask().GetAwaiter().GetResult();
        }

        return Encoding.UTF8.GetString(bytes.ToArray());
#else
        var text = new TextLog();
        exporter.ExportToLog(summary, text);
        return text.Text;
#endif
    }

    public static IEngine Create(EngineParameters parameters)
    {
#if AWAITED
        return new EngineFactory().Create(parameters);
#else
        return new EngineFactory().CreateReadyToRun(parameters);
#endif
    }

    /// <summary>Calls in one turn of the engine's loop.</summary>
    public static int UnrollFactor(EngineParameters parameters)
    {
#if AWAITED
        return parameters.TargetJob.ResolveValue(RunMode.UnrollFactorCharacteristic, parameters.Resolver);
#else
        return parameters.UnrollFactor;
#endif
    }

    /// <summary>Whether iterations of the jitting stage are among those around which setup and cleanup are called.</summary>
    public static bool WatchesJitting =>
#if AWAITED
        true;
#else
        false;
#endif

    public static (Action<long> Unrolled, Action<long> Single) Workload(EngineParameters parameters)
    {
#if AWAITED
        return (Waiting(parameters.WorkloadActionUnroll), Waiting(parameters.WorkloadActionNoUnroll));
#else
        return (parameters.WorkloadActionUnroll, parameters.WorkloadActionNoUnroll);
#endif
    }

    /// <summary>The project's own, null where it has none; to call and to wait for.</summary>
    public static (Action SetUp, Action CleanUp) Iteration(EngineParameters parameters)
    {
#if AWAITED
        return (Waiting(parameters.IterationSetupAction), Waiting(parameters.IterationCleanupAction));
#else
        return (parameters.IterationSetupAction, parameters.IterationCleanupAction);
#endif
    }

    /// <summary>Something to do after [GlobalSetup].</summary>
    public static void AfterGlobalSetup(EngineParameters parameters, Action then)
    {
        var own = parameters.GlobalSetupAction;
#if AWAITED
        parameters.GlobalSetupAction = async () =>
        {
            await own();
            then();
        };
#else
        parameters.GlobalSetupAction = () =>
        {
            own?.Invoke();
            then();
        };
#endif
    }

    /// <summary>Something to do around an iteration: before the project's setup, after it, and before its cleanup.</summary>
    public static void AroundIterations(EngineParameters parameters, Action beforeSetUp, Action begin, Action end)
    {
        var (setUp, cleanUp) = (parameters.IterationSetupAction, parameters.IterationCleanupAction);
#if AWAITED
        parameters.IterationSetupAction = async () =>
        {
            beforeSetUp();
            await setUp();
            begin();
        };
        parameters.IterationCleanupAction = () =>
        {
            end();
            return cleanUp();
        };
#else
        parameters.IterationSetupAction = () =>
        {
            beforeSetUp();
            setUp?.Invoke();
            begin();
        };
        parameters.IterationCleanupAction = () =>
        {
            end();
            cleanUp?.Invoke();
        };
#endif
    }

#if AWAITED
    // Where the engine's thread has a context of its own, what waits on that thread would never see a benchmark go on.
    private static Action<long> Waiting(Func<long, IClock, ValueTask<ClockSpan>> action) =>
        calls => WithoutContext(() => action(calls, Chronometer.BestClock).AsTask());

    private static Action Waiting(Func<ValueTask> action) => () => WithoutContext(() => action().AsTask());

    private static void WithoutContext(Func<Task> begin)
    {
        var own = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        try
        {
            begin().GetAwaiter().GetResult();
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(own);
        }
    }
#endif
}
