using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Launching.Docker;
using PerfLab.Launching.Docker.Engine;
using PerfLab.Launching.Processes;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;
using PerfLab.Machine.Watching;
using PerfLab.Programs;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Commands;

/// <summary>`doctor`: how far this machine can be trusted, and what to do about it.</summary>
internal static class DoctorCommand
{
    private const string BaseRow = "base image of containers";

    private const string ProcessFix = "measure only code that you trust with it, and believe small differences less; "
        + "--executor docker seals launches, and a machine with more than two cores keeps one free";

    public static Command Create(Terminal terminal)
    {
        var json = new Option<bool>("--json") { Description = "Print JSON." };
        var policy = PolicyOption.Create();
        var command = Examples.Command(
            "doctor", "Say what this machine lacks for measuring and how to fix it, with a noise self-test. "
                + "Makes or pulls the base image of containers, if an engine answers and there is none yet.",
            ["./perf-lab doctor --policy metal"])
            .With(json, policy);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var lab = Lab.Open(terminal);
            var inspection = new MachineInspection
            {
                Time = terminal.Clock,
                Store = lab.Config.Store,
                SelfTestRepeats = SelfTest.ManyRepeats,
            };
            var used = inspection.PolicyOr(parsed.GetValue(policy));
            var lines = new List<HygieneFinding>();
            lines.AddRange(await ExecutorsAsync(lab, cancellationToken));
            lines.Add(await SdkAsync(lab, cancellationToken));
            await using var events = inspection.WatchEvents(used);
            var (facts, _, _, _) = await inspection.RunAsync(used, events, cancellationToken);
            // Which executor a session takes was said above.
            lines.AddRange(HygieneJudge.Judge(facts, used).Where(finding => finding.Name != "executor"));
            lines.Add(WatchCost(terminal.Clock, used));
            if (parsed.GetValue(json))
            {
                terminal.Out.WriteLine(DoctorReport.ToJson(used, lines, facts));
            }
            else
            {
                DoctorReport.Write(used, lines, terminal.Out, terminal.Style);
            }

            return lines.Any(line => line.Severity == HygieneSeverity.Refuse) ? ExitCode.Failed : ExitCode.Done;
        });
        return command;
    }

    /// <summary>Which executor `auto` would take, and what the other one lacks.</summary>
    private static async Task<IReadOnlyList<HygieneFinding>> ExecutorsAsync(Lab lab, CancellationToken cancellationToken)
    {
        var engine = await EngineProbe.AskAsync(cancellationToken);
        var bases = engine.Usable ? await BaseAsync(lab, cancellationToken)
            : new(0, BaseRow, "not needed: without an engine, launches are processes", HygieneSeverity.Record);
        await using var process = ProcessLauncher.Create();
        var chosen = !engine.Usable ? "process: no Docker engine answers"
            : bases.Severity == HygieneSeverity.Ok ? "docker: an engine answers" : "process: no base image for containers can be had";
        return
        [
            new(0, "executor auto takes", chosen, HygieneSeverity.Ok),
            engine.Usable ? new(0, "Docker engine", engine.Says, HygieneSeverity.Ok)
                : new(0, "Docker engine", engine.Says, HygieneSeverity.Warn, "start one, or set DOCKER_HOST; without it launches are not sealed"),
            bases,
            .. process.Warnings.Select(warning => new HygieneFinding(0, "process executor", warning, HygieneSeverity.Warn, ProcessFix)).DefaultIfEmpty(
                new HygieneFinding(0, "process executor", "sandboxed", HygieneSeverity.Ok)),
        ];
    }

    /// <summary>Really got, not guessed: a session of today stands on it.</summary>
    private static async Task<HygieneFinding> BaseAsync(Lab lab, CancellationToken cancellationToken)
    {
        await using var docker = new DockerLauncher(
            new() { StoreFolder = lab.Config.Store, BaseImage = lab.Config.BaseImage, Say = lab.Terminal.Say });
        try
        {
            return new(0, BaseRow, await docker.EnsureBasesAsync(null, cancellationToken), HygieneSeverity.Ok);
        }
        catch (LabException missing)
        {
            return new(0, BaseRow, missing.CameBack, HygieneSeverity.Warn, missing.DoNext);
        }
    }

    private static async Task<HygieneFinding> SdkAsync(Lab lab, CancellationToken cancellationToken) =>
        await lab.Dotnet.SdkVersionAsync(lab.Config.Root, cancellationToken) is { } version
            ? new(0, ".NET SDK", version, HygieneSeverity.Ok)
            : new(0, ".NET SDK", "none that fits global.json", HygieneSeverity.Warn, "install the .NET 10 SDK: nothing can be built without it");

    /// <summary>What looking at the machine between launches costs: it must not be what disturbs them.</summary>
    private static HygieneFinding WatchCost(TimeProvider time, HygienePolicy policy)
    {
        using var watch = new HygieneWatch(new MachineFiles(), time, policy);
        var cost = SelfTest.Run(time, SelfTest.ManyRepeats, () => watch.Read());
        return new(0, "a look at the machine between launches", Invariant($"{cost.MedianSeconds * 1000:0.00} ms"), HygieneSeverity.Record);
    }
}
