using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Keeping;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Terminals;
using PerfLab.Runner.Verifying;

namespace PerfLab.Runner.Commands;

/// <summary>`verify SESSION`: whether the files of a session fit each other, and its verdict the journal.</summary>
internal static class VerifyCommand
{
    public static Command Create(Terminal terminal)
    {
        var session = new Argument<string>("session") { Description = "A session's folder." };
        var command = Examples.Command(
            "verify",
            "Check that a session is what it says: check sums, the plan's hash, the drawn order, the builds, and the verdict judged anew. "
            + "Exit code 1 when it is not.",
            ["./perf-lab verify .perf-lab/sessions/20261122-124951-37b2"]).With(session);
        command.SetAction(parsed =>
        {
            var named = Path.Combine(parsed.GetValue(session)!, ".");
            var folder = Path.GetDirectoryName(InputFile.LocateInSession(terminal, named, SessionFolder.Journal))!;
            using var ledger = LabLedger.ToRead(terminal);
            var checks = new SessionChecks(folder, ledger).Run();
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
