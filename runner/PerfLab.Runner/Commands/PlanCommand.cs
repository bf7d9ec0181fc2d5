using System.CommandLine;
using PerfLab.Core.Planning;
using PerfLab.Core.Requests;
using PerfLab.Runner.Steps;

namespace PerfLab.Runner.Commands;

/// <summary>`plan`: the complete list of what may be launched, as plan.json on stdout.</summary>
internal static class PlanCommand
{
    public static Command Create(Terminal terminal)
    {
        var options = new RequestOptions();
        var command = Examples.Command("plan", "Print plan.json: every cell, arm, build recipe and round, hashed, before anything runs.", ["./perf-lab plan quick --base pgo=off --head pgo=on > plan.json"]);
        options.AddTo(command);
        command.SetAction(parsed =>
        {
            var lab = Lab.Open(terminal);
            var problems = new List<Problem>();
            var request = options.Read(parsed, terminal, lab.Config.Policy, problems);
            var plan = new PlanStep(lab.Config, lab.Runtimes(request.Feeds)).Make(request, problems);
            terminal.Out.Write(PlanJson.Write(plan));
            terminal.Say(DryRun.Summary(plan));
            return ExitCode.Done;
        });
        return command;
    }
}
