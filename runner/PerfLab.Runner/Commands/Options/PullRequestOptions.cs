using System.CommandLine;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Commands.Options;

/// <summary>The options of `plan` for a pull request: the gate's file, and where the two commits lie.</summary>
internal sealed class PullRequestOptions
{
    private readonly Option<string?> _request = new("--request") { Description = "Plan what the gate accepted, instead of targets and arms.", HelpName = "request.json" };
    private readonly Option<string?> _base = new("--base-source") { Description = "Where the base commit is, or will be, checked out.", HelpName = "DIR" };
    private readonly Option<string?> _head = new("--head-source") { Description = "Where the head commit is, or will be, checked out.", HelpName = "DIR" };

    public void AddTo(Command command)
    {
        command.Add(_request);
        command.Add(_base);
        command.Add(_head);
    }

    public bool IsGiven(ParseResult parsed) => new[] { _request, _base, _head }.Any(option => parsed.GetValue(option) is not null);

    public RunPlan Plan(ParseResult parsed, RequestOptions options, Lab lab)
    {
        var problems = new List<Problem>();
        var stranger = parsed.CommandResult.Children.OfType<System.CommandLine.Parsing.OptionResult>()
            .FirstOrDefault(result => !result.Implicit && result.Option != _request && result.Option != _base && result.Option != _head
                && result.Option.Name != "--seed" && !ShardOptions.Names.Contains(result.Option.Name, StringComparer.Ordinal));
        if (stranger is not null || options.HasTargets(parsed))
        {
            problems.Add(new(stranger?.Option.Name ?? "target", "does not go with --request: the request says what to measure."));
        }

        var (request, reference, head) = (Needed(parsed, _request, problems), Needed(parsed, _base, problems), Needed(parsed, _head, problems));
        var seed = options.Seed(parsed, problems);
        WrongUseException.ThrowIfAny(problems);
        string FullPath(string path) => Path.GetFullPath(Path.Combine(lab.Terminal.WorkingFolder, path));
        return new RequestStep(lab.Config, lab.Runtimes([])).Make(RequestFile.Read(FullPath(request)), seed, FullPath(reference), FullPath(head));
    }

    private static string Needed(ParseResult parsed, Option<string?> option, List<Problem> problems)
    {
        if (parsed.GetValue(option) is { Length: > 0 } value)
        {
            return value;
        }

        problems.Add(new(option.Name, "is missing.", "--request, --base-source and --head-source go together."));
        return "";
    }
}
