using System.CommandLine;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Flow.Benchmarks;
using PerfLab.Runner.GitHub;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Commands.Options;

/// <summary>The options of `plan` for a pull request: the gate's file, and where the two commits lie.</summary>
/// <param name="checkouts">Where the two commits are.</param>
internal sealed class PullRequestOptions(CheckoutsOption checkouts)
{
    private readonly Option<string?> _request = new("--request") { Description = "Plan what the gate accepted, instead of targets and arms.", HelpName = "request.json" };
    private readonly Option<string?> _complete = new("--complete")
    {
        Description = "Complete this open plan by what its arms hold; goes with --request and --listed.",
        HelpName = "plan.json",
    };

    private readonly Option<string[]> _listed = new("--listed")
    {
        Description = "An arm's benchmarks from `build --list`, one for every arm of the plan.",
        HelpName = "ARM=FILE",
    };

    public void AddTo(Command command)
    {
        command.Add(_request);
        command.Add(_complete);
        command.Add(_listed);
    }

    public bool IsGiven(ParseResult parsed) =>
        new[] { _request, _complete }.Any(option => parsed.GetValue(option) is not null) || parsed.GetResult(_listed) is not null;

    public async Task<RunPlan> PlanAsync(ParseResult parsed, RequestOptions options, Lab lab, CancellationToken cancellationToken)
    {
        if (parsed.GetValue(_complete) is { } open)
        {
            return Complete(parsed, options, lab, open);
        }

        var problems = new List<Problem>();
        RefuseOthers(parsed, options, [_request], [CheckoutsOption.Name, "--seed", .. ShardOptions.Names], problems);
        const string Together = "--request and --checkouts go together.";
        var request = Needed(parsed, _request, Together, problems);
        if (!checkouts.IsGiven(parsed))
        {
            problems.Add(new(CheckoutsOption.Name, "is missing.", Together));
        }

        var seed = options.Seed(parsed, problems);
        WrongUseException.ThrowIfAny(problems);
        var file = RequestFile.Read(FullPath(lab, request));
        var projects = await ProjectStep.ReadAsync(lab, file.ToBenchmarkRequest(lab.Config.Policy, seed), problems, cancellationToken);
        return new RequestStep(lab.Config, lab.Runtimes([], cancellationToken)) { Projects = projects }
            .Make(file, problems, seed, arm => checkouts.FolderOf(parsed, lab, arm));
    }

    private RunPlan Complete(ParseResult parsed, RequestOptions options, Lab lab, string open)
    {
        const string Together = "--complete, --request and --listed go together.";
        var problems = new List<Problem>();
        RefuseOthers(parsed, options, [_complete, _request, _listed], [], problems);
        var request = Needed(parsed, _request, Together, problems);
        WrongUseException.ThrowIfAny(problems);
        var plan = PlanStep.Read(FullPath(lab, open));
        var arms = plan.Cells.SelectMany(cell => cell.Arms).Select(arm => arm.Id).Distinct(StringComparer.Ordinal).ToList();
        var lists = (parsed.GetValue(_listed) ?? []).Select(text => text.Split('=', 2)).ToList();
        if (plan.Unlisted is null)
        {
            problems.Add(new(_complete.Name, "is complete already: its benchmarks are listed."));
        }
        else if (lists.Exists(pair => pair.Length != 2)
            || !arms.Order(StringComparer.Ordinal).SequenceEqual(lists.Select(pair => pair[0]).Order(StringComparer.Ordinal), StringComparer.Ordinal))
        {
            problems.Add(new(_listed.Name, "names each arm of the plan once.", $"Arms: {string.Join(", ", arms)}. {Together}"));
        }

        WrongUseException.ThrowIfAny(problems);
        // The reference first, whatever the order that they were named in: its benchmarks come first in the report.
        return new RequestStep(lab.Config, lab.Runtimes([])).Complete(RequestFile.Read(FullPath(lab, request)), plan,
            [.. arms.Select(arm => BenchmarksFile.Read(FullPath(lab, lists.First(pair => pair[0] == arm)[1]), arm, plan))]);
    }

    private static string FullPath(Lab lab, string path) => Path.GetFullPath(Path.Combine(lab.Terminal.WorkingFolder, path));

    private static void RefuseOthers(
        ParseResult parsed, RequestOptions options, IReadOnlyList<Option> own, IReadOnlyList<string> others, List<Problem> problems)
    {
        var stranger = parsed.CommandResult.Children.OfType<System.CommandLine.Parsing.OptionResult>()
            .FirstOrDefault(result => !result.Implicit && !own.Contains(result.Option)
                && !others.Contains(result.Option.Name, StringComparer.Ordinal));
        if (stranger is not null || options.HasTargets(parsed))
        {
            problems.Add(new(stranger?.Option.Name ?? "target", "does not go with --request: the request says what to measure."));
        }
    }

    private static string Needed(ParseResult parsed, Option<string?> option, string together, List<Problem> problems)
    {
        if (parsed.GetValue(option) is { Length: > 0 } value)
        {
            return value;
        }

        problems.Add(new(option.Name, "is missing.", together));
        return "";
    }
}
