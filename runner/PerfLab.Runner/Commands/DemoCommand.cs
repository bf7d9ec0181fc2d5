using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;
using PerfLab.Programs;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;

namespace PerfLab.Runner.Commands;

/// <summary>`demo`: a real comparison on this machine, no account needed.</summary>
internal static class DemoCommand
{
    /// <summary>Fixed, so that two people who run the demo launch in the same order.</summary>
    private const ulong Seed = 2026;

    /// <summary>What is compared: something whose direction and size hold between executors and between hours (results/demo.md, benchmarks/demo-candidates).</summary>
    private static readonly Comparison Chosen = new(
        "json-round-trip", "pgo=off", "pgo=on", "runtime=net10.0", Rounds: 13,
        "how much faster dynamic PGO, the JIT's recompilation by what it saw the program do, makes JSON on .NET 10");

    public static Command Create(Terminal terminal)
    {
        var output = new OutputOptions();
        var executor = ExecutorOption.Create();
        var command = Examples.Command(
            "demo",
            $"Show {Chosen.Shows}: {Chosen.Target} with {Chosen.Base} against {Chosen.Head} in {Chosen.Rounds} interleaved rounds, in containers where an engine answers.",
            ["./perf-lab demo", "./perf-lab demo --executor process"]).With(executor);
        output.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            terminal.Say($"demo: {Chosen.Shows}");
            terminal.Say($"demo: {Chosen.Target}, {Chosen.Base} against {Chosen.Head}, {Chosen.Rounds} interleaved rounds, about 2 minutes after the build");
            var lab = Lab.Open(terminal);
            var code = await RunCommand.RunAsync(lab, Chosen.Request(lab), [], new(parsed.GetValue(executor)!, output.Read(parsed)), cancellationToken);
            terminal.Say("try next: ./perf-lab run json-round-trip --base runtime=net8.0 --head runtime=net10.0 --framework stj");
            terminal.Say("          ./perf-lab list            what else can be measured, and why something is unavailable");
            terminal.Say("          ./perf-lab doctor          how far this machine can be trusted");
            return code;
        });
        return command;
    }

    /// <param name="Base">As after --base, and so on.</param>
    /// <param name="Shows">Half a sentence.</param>
    private sealed record Comparison(string Target, string Base, string Head, string Set, int Rounds, string Shows)
    {
        public BenchmarkRequest Request(Lab lab) => new()
        {
            Targets = [Target],
            Arms = [ArmText.Parse("--base", "base", Base, []), ArmText.Parse("--head", "head", Head, [])],
            Set = ArmText.Parse("--set", "", Set, []).Values.ToDictionary(pair => pair.Key, IReadOnlyList<string> (pair) => [pair.Value], StringComparer.Ordinal),
            Rounds = (0, Rounds),
            Turns = TurnPlan.WhereItCan,
            Policy = lab.Config.Policy,
            Seed = Seed,
        };
    }
}
