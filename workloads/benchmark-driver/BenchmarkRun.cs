using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using Perfolizer.Horology;
using PerfLab.WorkloadKit;
using RunMode = BenchmarkDotNet.Jobs.RunMode;

namespace PerfLab.BenchmarkDriver;

/// <summary>One benchmark in this process, with as many operations and iterations as the lab says, and BenchmarkDotNet's own report of it.</summary>
internal static class BenchmarkRun
{
    private const string Variable = "PERF_LAB_BENCHMARK_RUN";

    /// <summary>BenchmarkDotNet's own: so many calls stand in one turn of its loop.</summary>
    private const int Unrolled = 16;

    private const int PilotWarmUps = 1;
    private static readonly TimeInterval IterationTime = TimeInterval.FromMilliseconds(100);

    /// <summary>How much to do; null in a pilot, which finds out.</summary>
    private static string Given => Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } given ? given : null;

    /// <summary>Operations of an iteration, warm-ups, iterations; null in a pilot.</summary>
    private static List<long> Numbers => Given?.Split('/').Select(number => long.Parse(number, NumberStyles.None, CultureInfo.InvariantCulture)).ToList();

    public static void Measure(Launch launch)
    {
        var benchmark = Wanted(launch);
        var log = new TextLog();
        using var turns = SliceTurns.Of(launch, Numbers is { } numbers ? numbers[0] : 1);
        launch.Once(() =>
        {
            var engines = new RestedEngines(launch, benchmark.Job, HasIterationSetup(benchmark), Given is null);
            var summary = Run(benchmark, engines, log);
            if (summary.Reports.Length != 1 || !summary.Reports[0].Success || summary.Reports[0].ResultStatistics is null)
            {
                throw new WrongAnswerException($"BenchmarkDotNet could not run it.{Environment.NewLine}{Why(summary, log)}");
            }

            WriteReport(summary);
            engines.Tell(summary.Reports[0].AllMeasurements);
            return 1;
        });
    }

    private static BenchmarkCase Wanted(Launch launch)
    {
        var name = Environment.GetEnvironmentVariable("PERF_LAB_PARAM_BENCHMARK") ?? "";
        var problems = new List<string>();
        var found = Benchmarks.Find(type => Benchmarks.MayHold(type, name), problems).FirstOrDefault(found => found.Name == name);
        if (found is null)
        {
            throw new RefusedException(string.Join(Environment.NewLine, problems.Prepend($"there is no benchmark {name} in this build.")));
        }

        launch.Parameters.Choice("benchmark", name);
        return found.Case;
    }

    private static Summary Run(BenchmarkCase benchmark, RestedEngines engines, TextLog log)
    {
        var job = JobOf(benchmark).WithEngineFactory(engines);
        // Nothing of the project's own configuration but how its benchmarks are called: its diagnosers and exporters may need what a sealed
        // container has not, its jobs name runtimes that are the lab's to vary.
        var config = ManualConfig.CreateEmpty().AddJob(job).AddDiagnoser(MemoryDiagnoser.Default).AddColumnProvider(DefaultColumnProviders.Instance)
            .AddLogger(log).WithOptions(ConfigOptions.DisableLogFile)
            .WithArtifactsPath(Path.Combine(Path.GetTempPath(), "benchmarks"));
        var complete = ImmutableConfigBuilder.Create(config);
        var alone = BenchmarkCase.Create(benchmark.Descriptor, job, benchmark.Parameters, complete);
        return BenchmarkRunner.Run(EngineCalls.Info(alone, benchmark.Descriptor.Type, complete));
    }

    private static bool HasIterationSetup(BenchmarkCase benchmark) =>
        benchmark.Descriptor.IterationSetupMethod is not null || benchmark.Descriptor.IterationCleanupMethod is not null;

    private static Job JobOf(BenchmarkCase benchmark)
    {
        var theirs = benchmark.Job;
        var job = new Job("PerfLab").WithToolchain(EngineCalls.InThisProcess()).WithLaunchCount(1);
        if (theirs.HasValue(RunMode.RunStrategyCharacteristic))
        {
            job = job.WithStrategy(theirs.Run.RunStrategy);
        }

        if (Numbers is { } numbers)
        {
            // A whole number of 32 bits: before 0.13.3 BenchmarkDotNet takes no other.
            var invocations = (int)Math.Clamp(numbers[0] / benchmark.Descriptor.OperationsPerInvoke, 1, 1 << 30);
            return EngineCalls.WithoutTiers(job).WithInvocationCount(invocations).WithUnrollFactor(invocations % Unrolled == 0 ? Unrolled : 1)
                .WithWarmupCount(WarmUps(theirs) ?? (int)numbers[1]).WithIterationCount((int)numbers[2]);
        }

        // The pilot: how many operations an iteration needs. What the project says of it holds.
        job = EngineCalls.WithoutTiers(job).WithWarmupCount(WarmUps(theirs) ?? PilotWarmUps).WithIterationCount(1).WithIterationTime(IterationTime);
        job = theirs.HasValue(RunMode.InvocationCountCharacteristic) ? job.WithInvocationCount((int)theirs.Run.InvocationCount) : job;
        return theirs.HasValue(RunMode.UnrollFactorCharacteristic) ? job.WithUnrollFactor(theirs.Run.UnrollFactor) : job;
    }

    /// <summary>Iterations of warm-up that the project asks for.</summary>
    private static int? WarmUps(Job theirs) =>
        theirs.HasValue(RunMode.WarmupCountCharacteristic) && theirs.Run.WarmupCount >= 0 ? theirs.Run.WarmupCount : null;

    private static void WriteReport(Summary summary)
    {
        if (Environment.GetEnvironmentVariable("PERF_LAB_REPORT") is { Length: > 0 } file)
        {
            File.WriteAllText(file, EngineCalls.Json(summary));
        }
    }

    /// <summary>The exception where there was one, else what BenchmarkDotNet found wrong with the benchmark.</summary>
    private static string Why(Summary summary, TextLog log)
    {
        const int Shown = 14;
        var lines = log.Text.Split('\n').Select(line => line.TrimEnd()).ToList();
        var thrown = lines.FindIndex(line => line.Contains("Exception", StringComparison.Ordinal));
        var wrong = summary.ValidationErrors.Select(error => error.Message).ToList();
        return string.Join(Environment.NewLine, thrown >= 0 ? lines.Skip(thrown).Take(Shown) : wrong.Count > 0 ? wrong.Take(Shown) : lines.TakeLast(Shown));
    }
}
