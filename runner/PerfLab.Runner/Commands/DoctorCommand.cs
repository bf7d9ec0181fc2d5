using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using PerfLab.Runner.Execution.Docker.Engine;
using PerfLab.Runner.Execution.Processes;
using PerfLab.Runner.Machine;

namespace PerfLab.Runner.Commands;

/// <summary>`doctor`: how far this machine can be trusted, and what to do about it.</summary>
internal static class DoctorCommand
{
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true, NewLine = "\n" };

    private sealed record Line(string Severity, string Name, string Value, string? Fix);

    public static Command Create(Terminal terminal)
    {
        var json = new Option<bool>("--json") { Description = "For machines." };
        var policy = new Option<HygienePolicy>("--policy") { Description = "How strict: any (a laptop, CI), azure or metal.", DefaultValueFactory = _ => HygienePolicy.Any };
        var command = Examples.Command("doctor", "Inspect this machine: what would be refused, warned, recorded, and how to fix each; a noise self-test with a figure.", ["./perf-lab doctor --policy metal"]).With(json, policy);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var lab = Lab.Open(terminal);
            var lines = new List<Line>();
            lines.AddRange(await ExecutorsAsync(cancellationToken));
            lines.Add(await SdkAsync(lab, cancellationToken));
            var facts = MachineFacts.Read(new MachineFiles(), terminal.Clock, DiskSpace.Of(lab.Config.Store));
            lines.AddRange(Hygiene.Judge(facts, parsed.GetValue(policy)).Where(finding => finding.Name != "executor")
                .Select(finding => new Line(finding.Severity.ToString().ToLowerInvariant(), finding.Name, finding.Value, finding.Fix)));
            lines.Add(NoiseLine(SelfTest.Run(terminal.Clock)));
            if (parsed.GetValue(json))
            {
                terminal.Out.WriteLine(ToJson(lines).ToJsonString(Indented));
            }
            else
            {
                lines.ForEach(line => Write(terminal.Out, line));
                Summarise(terminal.Out, lines);
            }

            return lines.Any(line => line.Severity == "refuse") ? ExitCode.Failed : ExitCode.Done;
        });
        return command;
    }

    /// <summary>Which executor `auto` would take, and what the other one lacks.</summary>
    private static async Task<IReadOnlyList<Line>> ExecutorsAsync(CancellationToken cancellationToken)
    {
        var engine = await EngineProbe.AskAsync(cancellationToken);
        await using var process = ProcessLauncher.Create();
        var chosen = engine.Usable ? "docker: an engine answers" : "process: no Docker engine answers";
        return
        [
            new("ok", "executor auto takes", chosen, null),
            engine.Usable ? new("ok", "Docker engine", engine.Says, null)
                : new("warn", "Docker engine", engine.Says, "start one, or set DOCKER_HOST; without it launches are not sealed"),
            new(process.Warnings.Count == 0 ? "ok" : "warn", "process executor",
                process.Warnings.Count == 0 ? "sandboxed" : string.Join("; ", process.Warnings), null),
        ];
    }

    private static async Task<Line> SdkAsync(Lab lab, CancellationToken cancellationToken) =>
        await lab.Dotnet.SdkVersionAsync(lab.Config.Root, cancellationToken) is { } version
            ? new("ok", ".NET SDK", version, null)
            : new("warn", ".NET SDK", "none that fits global.json", "install the .NET 10 SDK: nothing can be built without it");

    private static Line NoiseLine(SelfTestResult test) => new(
        test.Spread > 0.02 ? "warn" : "ok", "noise self-test",
        string.Create(CultureInfo.InvariantCulture, $"{test.Seconds.Count} spins of {test.MedianSeconds * 1000:0.0} ms, spread {test.Spread * 100:0.00} %, slowest {test.Worst * 100:0.0} % over the fastest"),
        test.Spread > 0.02 ? "something else uses the processor: stop it, or expect more rounds to be undecided" : null);

    private static void Write(TextWriter output, Line line)
    {
        output.WriteLine($"{line.Severity,-7} {line.Name}: {Short(line.Value)}");
        if (line.Fix is { } fix)
        {
            output.WriteLine($"        to do: {fix}");
        }
    }

    private static void Summarise(TextWriter output, List<Line> lines)
    {
        int Count(string severity) => lines.Count(line => line.Severity == severity);
        output.WriteLine();
        output.WriteLine($"{Count("ok")} ok, {Count("record")} recorded, {Count("warn")} warnings, {Count("refuse")} refused");
    }

    private static JsonArray ToJson(List<Line> lines) => new([.. lines.Select(line => (JsonNode)new JsonObject
    {
        ["severity"] = line.Severity, ["name"] = line.Name, ["value"] = line.Value, ["fix"] = line.Fix,
    })]);

    private static string Short(string text) => text.Length <= 300 ? text : text[..300] + "…";
}
