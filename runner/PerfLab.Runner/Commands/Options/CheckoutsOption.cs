using System.CommandLine;
using System.Text.RegularExpressions;
using PerfLab.Building.Manifests;
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
    private readonly Option<string?> _option = new("--checkouts")
    {
        Description = "Where the commits of --anchor, --base and --head are, or will be, checked out: DIR/ARM. Each is a full commit.",
        HelpName = "DIR",
    };

    public void AddTo(Command command) => command.Add(_option);

    public bool IsGiven(ParseResult parsed) => parsed.GetValue(_option) is not null;

    /// <summary>The plan with its arms in those folders.</summary>
    public RunPlan Plan(ParseResult parsed, BenchmarkRequest request, Lab lab, List<Problem> problems)
    {
        var folder = Path.GetFullPath(Path.Combine(lab.Terminal.WorkingFolder, parsed.GetValue(_option)!));
        var checkouts = new List<Checkout>();
        foreach (var arm in request.Arms)
        {
            var commit = arm.Values.GetValueOrDefault(WorkloadDimensions.Source) ?? "";
            if (FullCommit().IsMatch(commit))
            {
                checkouts.Add(Checkout.OfCommit(arm.Id, commit, Path.Combine(folder, arm.Id)));
            }
            else
            {
                problems.Add(new($"{arm.Id}, source", $"with --checkouts each arm names a full commit, and '{commit}' is none.",
                    $"Example: --{arm.Id} source=0123456789abcdef0123456789abcdef01234567"));
            }
        }

        var asked = request with
        {
            Arms = [.. request.Arms.Select(arm => arm with { Values = Without(arm.Values) })],
            Asked = AskedRequest.Of(request),
        };
        var plan = new PlanStep(lab.Config, lab.Runtimes(request)).Make(asked, problems);
        var (workloads, _) = new WorkloadCatalog(lab.Config).Expand(request.Targets, request.Set, problems);
        return new Checkouts(checkouts, lab.Config.Root, workloads).Place(plan);
    }

    private static Dictionary<string, string> Without(IReadOnlyDictionary<string, string> values) =>
        values.Where(value => value.Key != WorkloadDimensions.Source).ToDictionary(StringComparer.Ordinal);

    [GeneratedRegex(@"^[0-9a-f]{40}\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex FullCommit();
}
