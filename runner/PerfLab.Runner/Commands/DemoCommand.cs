using System.CommandLine;
using PerfLab.Core.Planning.Requests;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Commands;

/// <summary>`demo`: a real comparison on this machine, no engine and no account needed.</summary>
internal static class DemoCommand
{
    /// <summary>Fixed, so that two people who run the demo launch in the same order.</summary>
    private const ulong Seed = 2026;

    public static Command Create(Terminal terminal)
    {
        var output = new OutputOptions();
        var command = Examples.Command("demo", "Compare channel-actors on .NET 8 with .NET 10: builds both, launches 20 interleaved rounds as plain processes, prints the report.", ["./perf-lab demo"]);
        output.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            terminal.Say("demo: channel-actors, base .NET 8, head .NET 10, in 20 interleaved rounds of short launches (2 to 3 minutes after the build)");
            var lab = Lab.Open(terminal);
            var request = new BenchmarkRequest
            {
                Targets = ["channel-actors"],
                Arms = [Arm("base", "net8.0"), Arm("head", "net10.0")],
                Policy = lab.Config.Policy,
                Seed = Seed,
            };
            var code = await RunCommand.RunAsync(lab, request, [], new("process", output.Read(parsed)), cancellationToken);
            terminal.Say("try next: ./perf-lab run json-round-trip --base framework=newtonsoft@12.0.3 --head framework=newtonsoft@13.0.3");
            terminal.Say("          ./perf-lab list            what else can be measured, and why something is unavailable");
            terminal.Say("          ./perf-lab doctor          how far this machine can be trusted");
            return code;
        });
        return command;
    }

    private static ArmRequest Arm(string id, string runtime) =>
        new(id, new SortedDictionary<string, string>(StringComparer.Ordinal) { ["runtime"] = runtime });
}
