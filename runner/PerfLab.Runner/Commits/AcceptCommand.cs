using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Core.Trends;
using PerfLab.History;
using PerfLab.Programs;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Keeping;

namespace PerfLab.Runner.Commits;

/// <summary>`history accept`: a regression that people know of and keep, so that nothing calls it again.</summary>
internal static class AcceptCommand
{
    public static Command Create(Terminal terminal)
    {
        var id = new Argument<string>("id") { Description = "A change that `trend` shows, or a session whose regressed rows are meant." };
        var because = new Option<string?>("--because")
        {
            Description = "Why it is kept; every report and `trend` show it.",
            HelpName = "TEXT",
        };
        var undo = new Option<bool>("--undo") { Description = "Remove the acceptance; the change is reported again." };
        var command = Examples.Command(
            "accept", "Accept a regression: `trend` and reports show it with your reason. It files no issue and fails no run.",
            ["./perf-lab history accept 3fa91c22b0de --because 'checks the signature now'"]).With(id, because, undo);
        command.SetAction(parsed =>
        {
            var reason = parsed.GetValue(because)?.Trim() ?? "";
            if (!parsed.GetValue(undo))
            {
                Refuse(reason);
            }

            using var store = LabHistory.Open(Lab.Open(terminal).Config);
            var wanted = parsed.GetValue(id)!;
            if (parsed.GetValue(undo))
            {
                terminal.Out.WriteLine(Invariant($"the change is reported again in {store.Unaccept(wanted)} series"));
                return ExitCode.Done;
            }

            terminal.Out.WriteLine(Invariant($"accepted in {store.Accept(wanted, reason, terminal.Clock.GetUtcNow())} series"));
            return ExitCode.Done;
        });
        return command;
    }

    private static void Refuse(string reason)
    {
        if (reason.Length is 0 or > AcceptedChanges.MostReasonChars)
        {
            throw new WrongUseException([new("--because",
                reason.Length == 0 ? "is not given, and every report shows the reason."
                    : Invariant($"has {reason.Length} characters, at most {AcceptedChanges.MostReasonChars} are taken."),
                "Example: --because 'checks the signature now'")]);
        }
    }
}
