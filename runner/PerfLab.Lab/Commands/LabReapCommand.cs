using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;
using PerfLab.Programs;

namespace PerfLab.Lab.Commands;

/// <summary>`lab reap`: cost layer 3, every half hour.</summary>
internal static class LabReapCommand
{
    public static Command Create(Terminal terminal, Func<AzureAccess> access)
    {
        var runners = new Option<string?>("--runners")
        {
            HelpName = "FILE",
            Description = "GitHub's list of this repository's runners (`gh api repos/OWNER/REPO/actions/runners`); without it only leases decide.",
        };
        var command = Examples.Command(
            "reap",
            "Delete machines whose lease has expired, and orphaned ones seen twice in a row. Stop a cluster whose lease has expired.",
            ["./perf-lab lab reap --runners runners.json"]).With(runners);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var lab = LabMachines.Open(terminal, access);
            var list = parsed.GetValue(runners) is { } file ? InputFile.Read(RunnerList.Format, InputFile.Locate(terminal, file, "--runners"),
                "hand over GitHub's list of runners: the member `runners`, each with name, status and busy. Nothing was ended") : null;
            var results = await lab.Reaper.RunAsync(lab.File.Resources, list, cancellationToken);
            foreach (var result in results)
            {
                terminal.Out.WriteLine($"{result.Machine.Name}: {result.Decision}");
                if (result.Failure is { } failure)
                {
                    terminal.Say($"perf-lab: {failure.Tried}\n  came back: {failure.CameBack}\n  to do:     {failure.DoNext}");
                }
            }

            return results.Any(result => result.Failure is not null) ? ExitCode.Failed : ExitCode.Done;
        });
        return command;
    }
}
