using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Programs;
using PerfLab.Runner.Afterwards;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Keeping;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Commands;

/// <summary>`verify SESSION`: whether the files of a session fit each other, and its verdict the journal.</summary>
internal static class VerifyCommand
{
    public static Command Create(Terminal terminal)
    {
        var session = new Argument<string>("session") { Description = "A session's folder." };
        var rebuild = new Option<bool>("--rebuild")
        {
            Description = "Build the commits of the session again, and compare. It runs their build, so use it on your own.",
        };
        var attested = new Option<string?>("--attested-by")
        {
            HelpName = "OWNER/NAME",
            Description = "Ask GitHub, by its program `gh`, whether a /benchmark in this repository measured it.",
        };
        var lab = new Option<string?>("--lab")
        {
            HelpName = "OWNER/NAME",
            Description = "With --attested-by: the repository of the lab's workflows, where that is another one.",
        };
        var command = Examples.Command(
            "verify",
            "Check that a session is what it says: check sums, the plan's hash, the drawn order, the builds, and the verdict judged anew. "
            + "Exit code 1 when it is not.",
            ["./perf-lab verify .perf-lab/sessions/20261122-124951-37b2",
                "./perf-lab verify .perf-lab/sessions/20261122-124951-37b2 --rebuild",
                "./perf-lab verify report --attested-by OWNER/LIBRARY --lab OWNER/perf-lab"]).With(session, rebuild, attested, lab);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var (repository, of) = (parsed.GetValue(attested), parsed.GetValue(lab));
            Attestation.Require("--attested-by", repository);
            Attestation.Require("--lab", of);
            if (of is not null && repository is null)
            {
                throw new WrongUseException([
                    new("--lab", "says whose workflows signed, and nothing was asked.", "Give --attested-by, too."),
                ]);
            }

            var named = SessionFolder.Locate(terminal, parsed.GetValue(session)!, SessionFolder.Journal);
            if (Path.GetFileName(named) != SessionFolder.Journal || !File.Exists(named))
            {
                throw new LabException($"verifying {InputFile.Name(named)}", "it is no session's folder",
                    "name a folder that holds samples.ndjson (without --out it is in .perf-lab/sessions)");
            }

            var folder = Path.GetDirectoryName(Path.GetFullPath(named))!;
            using var ledger = LabLedger.ToRead(terminal);
            var checks = new SessionChecks(folder, ledger).Run();
            if (parsed.GetValue(rebuild))
            {
                var plan = PlanStep.Read(Path.Combine(folder, SessionFolder.PlanFile));
                var builds = BuildsFile.Read(Path.Combine(folder, SessionFolder.BuildsFile), plan);
                checks = [.. checks, await new RebuiltArms(Lab.Open(terminal)).CheckAsync(plan, builds, cancellationToken)];
            }

            if (repository is not null)
            {
                checks = [.. checks, await new Attestation(repository, of ?? repository).CheckAsync(folder, cancellationToken)];
            }

            foreach (var check in checks)
            {
                Write(terminal, check);
            }

            var flaws = checks.Sum(check => check.Flaws.Count);
            terminal.Out.WriteLine(flaws == 0 ? "verified: nothing contradicts it" : $"NOT verified: {Counted.Of(flaws, "flaw")}");
            return flaws == 0 ? ExitCode.Done : ExitCode.Failed;
        });
        return command;
    }

    private static void Write(Terminal terminal, SessionCheck check)
    {
        if (check.Flaws.Count == 0)
        {
            terminal.Out.WriteLine(check.NotChecked is { } why
                ? $"  -     {check.What,-8} {why}" : $"  ok    {check.What,-8} {check.Fine}");
        }

        foreach (var flaw in check.Flaws)
        {
            terminal.Out.WriteLine($"  FLAW  {check.What,-8} {UntrustedText.Line(flaw, UntrustedText.MaxChars)}");
        }
    }
}
