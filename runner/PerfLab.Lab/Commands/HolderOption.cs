using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Lab.Azure;

namespace PerfLab.Lab.Commands;

/// <summary>`--run`: for whom a machine is started or stopped. In a workflow, GitHub's own variables say it.</summary>
internal sealed class HolderOption
{
    private readonly Option<string?> option = new("--run")
    {
        HelpName = "ID/ATTEMPT",
        Description = "Workflow run and attempt that hold the lease. Default in a workflow: GITHUB_RUN_ID/GITHUB_RUN_ATTEMPT. "
            + "By hand, start draws a number (0/N), and stop ends any machine that was started by hand.",
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
