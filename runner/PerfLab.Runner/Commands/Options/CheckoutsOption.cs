using System.CommandLine;
using System.Text.RegularExpressions;
using PerfLab.Core.Files;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Commands.Options;

/// <summary>
/// `plan … --checkouts DIR`: the commits that arms name are, or will be, checked out in folders named as the arms are. Then the plan is
/// made where no git repository is, and each arm can be built on a machine of its own.
/// </summary>
internal sealed partial class CheckoutsOption
{
    public const string Name = "--checkouts";

    private readonly Option<string?> _option = new(Name)
    {
        Description = "Where the commits of --anchor, --base and --head are, or will be, checked out: DIR/ARM. Each is a full commit.",
        HelpName = "DIR",
    };

    public void AddTo(Command command) => command.Add(_option);

    public bool IsGiven(ParseResult parsed) => parsed.GetValue(_option) is not null;

    /// <summary>Where an arm's commit is, or will be: DIR/ARM, absolute. Only where it <see cref="IsGiven"/>.</summary>
    public string FolderOf(ParseResult parsed, Lab lab, string arm) =>
        Path.GetFullPath(Path.Combine(lab.Terminal.WorkingFolder, parsed.GetValue(_option)!, arm));

    /// <summary>The plan with its arms in those folders.</summary>
    public RunPlan Plan(ParseResult parsed, BenchmarkRequest request, Lab lab, List<Problem> problems)
    {
        var checkouts = new List<Checkout>();
        foreach (var arm in request.Arms)
        {
            var commit = arm.Values.GetValueOrDefault(WorkloadDimensions.Source) ?? "";
            if (FullCommit().IsMatch(commit))
            {
                checkouts.Add(Checkout.OfCommit(arm.Id, commit, FolderOf(parsed, lab, arm.Id)));
            }
            else
            {
                problems.Add(new($"{arm.Id}, source", $"with --checkouts each arm names a full commit, and '{commit}' is none.",
                    $"Example: --{arm.Id} source=0123456789abcdef0123456789abcdef01234567"));
            }
        }

        return new PlanStep(lab.Config, lab.Runtimes(request)) { Checkouts = new(checkouts, lab.Config.Root) }.Make(request, problems);
    }

    [GeneratedRegex(@"^[0-9a-f]{40}\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex FullCommit();
}
