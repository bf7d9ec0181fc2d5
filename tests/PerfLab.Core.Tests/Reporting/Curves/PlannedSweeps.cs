using PerfLab.Core.Model;
using PerfLab.Core.Tests.Reporting.Support;
using static PerfLab.Core.Tests.Planning.Workloads;

namespace PerfLab.Core.Tests.Reporting.Curves;

/// <summary>Sessions with the cells that planning makes of a request, knobs that nobody asked for included.</summary>
internal static class PlannedSweeps
{
    private static readonly string[] Runtimes = ["netcoreapp3.1", "net8.0", "net10.0"];

    /// <summary>`--vary pgo=off,on,full --runtime netcoreapp3.1,net8.0,net10.0`: .NET 3.1 has one arm only, and other knobs follow from the runtime and from pgo=full.</summary>
    public static SampleSet PgoByRuntime()
    {
        var actors = Spin with { Name = "channel-actors", Build = Spin.Build with { Runtimes = Runtimes }, Parameters = [], Modes = [new("steady", [SampleSweeps.Throughput])] };
        var request = Request(Arm("off", "pgo=off"), Arm("on", "pgo=on"), Arm("full", "pgo=full")).With("runtime", Runtimes);
        return SampleSweeps.Session(
            Plan(request, actors).Plan!.Cells.Select(cell => cell.ToCell(arm => $"sha256:{arm}", _ => null, null)),
            values => (values["runtime"] switch { "netcoreapp3.1.3" => 38e6, "net8.0.33" => 42e6, _ => 57e6 }) * (values["pgo"] switch { "off" => 0.9, "on" => 1, _ => 1.1 }));
    }
}
