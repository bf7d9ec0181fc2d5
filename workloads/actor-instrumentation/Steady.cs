using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>The better measurement: one way of instrumenting in a process, warm, for a fixed time, with a short mailbox.</summary>
internal static class Steady
{
    public static void Measure(Launch launch, Settings settings)
    {
        using var reader = Reader.Start(settings);
        using var subject = Subject.Start(settings);
        using var cause = settings.Tracing ? Probe.StartCause() : null;
        var producer = new Producer(subject);
        producer.SendPiece();
        producer.Settle();
        reader.Check(settings, subject.Tally.Handled);

        long heap = 0;
        var windows = launch.Repeat(producer.SendPiece, warmedUp: () => heap = GC.GetTotalMemory(forceFullCollection: false));
        var growth = GC.GetTotalMemory(forceFullCollection: false) - heap;
        producer.Settle();
        reader.Check(settings, subject.Tally.Handled);

        launch.Report("throughput", windows.PerSecond, "msg/s");
        launch.Report("allocated", Allocation.PerMessage(windows), "B/msg");
        OldFigures.Prove(launch, growth, [windows]);
        launch.ReportWindows("throughput", windows.Rates);
    }
}
