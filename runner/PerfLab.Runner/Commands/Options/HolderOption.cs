using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Power.Azure;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`--run`: for whom a machine is started or stopped. In a workflow, GitHub's own variables say it.</summary>
internal sealed class HolderOption
{
    private readonly Option<string?> option = new("--run")
    {
        HelpName = "ID/ATTEMPT",
        Description = "Workflow run and attempt that hold the lease; GITHUB_RUN_ID and GITHUB_RUN_ATTEMPT when left out, 0/0 (by hand) outside of a workflow: a start by hand draws a number of its own, 0/N, and a stop by hand ends any of those.",
    };

    public void AddTo(Command command) => command.Add(option);

    public LeaseHolder Read(ParseResult parsed)
    {
        var text = parsed.GetValue(option) ?? FromEnvironment();
        return text.Split('/') is [var run, var attempt]
            && long.TryParse(run, NumberStyles.None, CultureInfo.InvariantCulture, out var id) && int.TryParse(attempt, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? new LeaseHolder(id, number)
            : throw new WrongUseException([new("--run", $"\"{text}\" is not ID/ATTEMPT, such as 18234567890/1")]);
    }

    private static string FromEnvironment() => Environment.GetEnvironmentVariable("GITHUB_RUN_ID") is { Length: > 0 } run
        ? $"{run}/{Environment.GetEnvironmentVariable("GITHUB_RUN_ATTEMPT") ?? "1"}" : LeaseHolder.ByHand.ToString();
}
