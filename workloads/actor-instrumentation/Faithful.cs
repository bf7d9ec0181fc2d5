using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>
/// The protocol of NBench 1.2 for a throughput test of one actor: a run beforehand, 13 to warm up and 13 that count, each with a new actor
/// after two full collections. A run sends all its messages at once and waits; what is reported are means of the 13.
/// </summary>
internal static class Faithful
{
    private const int Runs = 13;

    public static void Measure(Launch launch, Settings settings)
    {
        using var reader = Reader.Start(settings);
        using var cause = settings.Tracing ? Probe.StartCause() : null;
        long handled = 0;
        for (var run = 0; run < 1 + Runs; run++)
        {
            handled += Run(settings, producer => _ = Flood(producer, settings.Messages));
        }

        reader.Check(settings, handled);
        var (measured, growth) = (new List<Windows>(Runs), 0.0);
        for (var run = 0; run < Runs; run++)
        {
            handled += Run(settings, producer =>
            {
                var heap = GC.GetTotalMemory(forceFullCollection: false);
                measured.Add(launch.Once(() => Flood(producer, settings.Messages)));
                growth += GC.GetTotalMemory(forceFullCollection: false) - heap;
            });
        }

        reader.Check(settings, handled);
        launch.Report("mean-throughput", measured.Average(run => run.PerSecond), "msg/s");
        launch.Report("mean-allocated", measured.Average(Allocation.PerMessage), "B/msg");
        OldFigures.Prove(launch, growth / Runs, measured);
        launch.ReportWindows("mean-throughput", [.. measured.Select(run => run.PerSecond)]);
    }

    private static long Run(Settings settings, Action<Producer> body)
    {
        using var subject = Subject.Start(settings);
        for (var collection = 0; collection < 2; collection++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        body(new Producer(subject));
        return subject.Tally.Handled;
    }

    private static long Flood(Producer producer, int messages)
    {
        producer.Send(messages);
        producer.Settle();
        return messages;
    }
}
