using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Building.Manifests;

/// <summary>perf-lab.yaml (docs/internals/formats.md).</summary>
public sealed record LabConfig : IChecked
{
    public const string FileName = "perf-lab.yaml";

    public static FileFormat<LabConfig> Format { get; } =
        YamlTree.Format<LabConfig>("perf-lab/config/1", "perf-lab.yaml: suites, policy, machines, GitHub rules");

    /// <summary>Folders of workloads, relative to this file; [workloads] when absent.</summary>
    [MinLength(1)]
    public IReadOnlyList<string> Workloads { get; init; } = ["workloads"];

    /// <summary>Named sets of workloads and dimension values.</summary>
    [JsonPropertyName("suites")]
    [Keys(NameForm.Pattern, InWords = NameForm.InWords)]
    public OrderedDictionary<string, Suite> SuitesByName { get; init; } = [];

    /// <summary>The constants of a comparison; what is absent has its default (docs/internals/statistics-method.md).</summary>
    public Policy Policy { get; init; } = new();

    /// <summary>How much worse than the trend's anchor main may become by many small steps, a fraction; absent: nobody asks.</summary>
    [Range(0, 1)]
    public double? Budget { get; init; }

    /// <summary>Machines that the lab knows.</summary>
    [JsonPropertyName("machines")]
    [Keys(NameForm.Pattern, InWords = NameForm.InWords)]
    public OrderedDictionary<string, MachineDefinition> MachinesByName { get; init; } = [];

    /// <summary>The image that stands under workloads in containers, by name, tag or digest; absent: perf-lab's own choice.</summary>
    [RegularExpression(
        "^[A-Za-z0-9][A-Za-z0-9._/:-]{0,182}(@sha256:[0-9a-f]{64})?$",
        ErrorMessage = "an image's name, alone, with a tag (debian:bookworm-slim) "
            + "or with a digest (debian@sha256: and 64 digits from 0-9a-f)")]
    public string? BaseImage { get; init; }

    /// <summary>Where `--executor kubernetes` launches.</summary>
    public ClusterSettings Kubernetes { get; init; } = new();

    /// <summary>Where results are kept beyond their session.</summary>
    public HistorySettings History { get; init; } = new();

    /// <summary>Rules of the GitHub side.</summary>
    public GithubRules Github { get; init; } = new();

    /// <summary>Folder of perf-lab.yaml; relative paths start here.</summary>
    [JsonIgnore]
    public string Root { get; init; } = "";

    [JsonIgnore]
    public IReadOnlyList<Suite> Suites => [.. SuitesByName.Select(pair => pair.Value with { Name = pair.Key })];

    [JsonIgnore]
    public IReadOnlyList<MachineDefinition> Machines => [.. MachinesByName.Select(pair => pair.Value with { Name = pair.Key })];

    public IEnumerable<string> WorkloadFolders => Workloads.Select(folder => Path.GetFullPath(Path.Combine(Root, folder)));

    /// <summary>Where builds, bases and sessions are kept: `.perf-lab`, but for the lab that an installed tool brings along.</summary>
    public string Store => InstalledLab.StoreOf(Root);

    /// <summary>Absolute path of the history, where it is a file.</summary>
    public string HistoryFile => Path.GetFullPath(History.Sqlite.StartsWith(HistorySettings.InStore, StringComparison.Ordinal)
        ? Path.Combine(Store, History.Sqlite[HistorySettings.InStore.Length..]) : Path.Combine(Root, History.Sqlite));

    /// <summary>What a bare /benchmark names must be there: found out here, not by the first pull request.</summary>
    public IEnumerable<Problem> Problems() =>
        NotThere().Concat(Policy.Within > 0
            ? [new("policy.within", "is asked for where rows are measured.",
                "Leave it out here, and type ./perf-lab run … --within 10m.")]
            : []);

    private IEnumerable<Problem> NotThere() =>
        from name in new[] { ("suite", Github.Suite, SuitesByName.Keys), ("machine", Github.Machine, (ICollection<string>)MachinesByName.Keys) }
        where name.Item2 is not null && !name.Item3.Contains(name.Item2)
        select new Problem(
            $"github.{name.Item1}", $"there is no {name.Item1} '{name.Item2}' in this file.", NearestNames.Suggest(name.Item2, name.Item3));

    public static LabConfig? Read(string root, ICollection<Problem> problems)
    {
        var path = Path.Combine(root, FileName);
        var config = File.Exists(path) ? YamlTree.Read(Format, path, problems) : new();
        return config is null ? null : config with { Root = root };
    }

    /// <summary>Everything wrong with a file that is to become perf-lab.yaml.</summary>
    public static IReadOnlyList<Problem> ProblemsOf(string path)
    {
        var problems = new List<Problem>();
        _ = YamlTree.Read(Format, path, problems);
        return problems;
    }
}

/// <summary>The `history` of perf-lab.yaml.</summary>
public sealed record HistorySettings
{
    /// <summary>Begins a path that lies in the store, wherever that is.</summary>
    internal const string InStore = ".perf-lab/";

    /// <summary>The file, relative to perf-lab.yaml; it is made when it is not there.</summary>
    [MinLength(1)]
    public string Sqlite { get; init; } = InStore + "history.db";

    /// <summary>The environment variable that holds a connection string of PostgreSQL; then there is no file.</summary>
    [RegularExpression("^[A-Z][A-Z0-9_]{0,63}$", ErrorMessage = "the name of an environment variable: A-Z, 0-9 and _")]
    public string? PostgresFrom { get; init; }

    /// <summary>Whether `run` keeps its session.</summary>
    public bool KeepRuns { get; init; } = true;
}

/// <summary>A named set of workloads and dimension values.</summary>
public sealed record Suite
{
    [JsonIgnore]
    public string Name { get; init; } = "";

    /// <summary>Names, or projects of BenchmarkDotNet by their path from this file; * means all names.</summary>
    [MinLength(1)]
    public required IReadOnlyList<string> Workloads { get; init; }

    /// <summary>Dimension -> values that make the cells; * means all that the workload knows.</summary>
    public OrderedDictionary<string, IReadOnlyList<Scalar>> Set { get; init; } = [];
}

/// <summary>A machine that the lab knows.</summary>
[Gone("cpus", "is not read here any more: LAB_CPUS in /etc/perf-lab/machine.conf, on the machine itself, says whose cores are whose "
    + "(docs/machines.md); take this line out.")]
public sealed record MachineDefinition : IChecked
{
    /// <summary>One of GitHub's own runners.</summary>
    public const string Hosted = "hosted";

    private const string Metal = "metal";

    /// <summary>As many as .github/workflows/benchmark-fleet.yml has jobs; a test holds the two together.</summary>
    public const int MostAtOnce = 8;

    [JsonIgnore]
    public string Name { get; init; } = "";

    /// <summary>azure: made for each request; metal: never switched on or off; hosted: one of GitHub's own runners.</summary>
    [AllowedValues("azure", Metal, Hosted)]
    public required string Kind { get; init; }

    /// <summary>Of a hosted machine: GitHub's image for amd64.</summary>
    [RegularExpression("^ubuntu-2[2468]\\.04$", ErrorMessage = "an image of GitHub's own runners by its full name, such as ubuntu-24.04")]
    public string? RunsOn { get; init; }

    /// <summary>Azure VM size.</summary>
    public string? Size { get; init; }

    /// <summary>Which hygiene checks refuse; any when absent. A hosted machine has its own.</summary>
    [AllowedValues("azure", "metal", "any")]
    public string? Policy { get; init; }

    /// <summary>For estimates, in the subscription's currency.</summary>
    [AtLeast(0)]
    public double? PricePerHour { get; init; }

    /// <summary>
    /// How many of them one request may use at once; one when absent. Those of Azure are NAME, NAME-2, NAME-3 and so on in the stack.
    /// </summary>
    [Range(1, MostAtOnce)]
    public int? Count { get; init; }

    /// <summary>The policy that a session there is judged by.</summary>
    [JsonIgnore]
    public string PolicyInForce => Kind == Hosted ? Hosted : Policy ?? "any";

    public IEnumerable<Problem> Problems() => Kind == Hosted
        ? from member in new[] { ("size", Size), ("policy", Policy) }
          where member.Item2 is not null
          select new Problem(member.Item1, "a hosted machine has none; take it out")
        : from member in new[]
          {
              ("runs-on", RunsOn is not null, "only a hosted machine has one; take it out"),
              ("count", Kind == Metal && Count is not null, "a machine that stands ready is one; take it out"),
          }
          where member.Item2
          select new Problem(member.Item1, member.Item3);
}

/// <summary>
/// The `github` of perf-lab.yaml. A plan for a pull request needs machine and minutes; the rest is read by the GitHub part.
/// </summary>
public sealed record GithubRules
{
    /// <summary>Suite of a bare /benchmark.</summary>
    [RegularExpression(NameForm.Pattern, ErrorMessage = NameForm.InWords)]
    public string? Suite { get; init; }

    /// <summary>Machine of a bare /benchmark.</summary>
    [RegularExpression(NameForm.Pattern, ErrorMessage = NameForm.InWords)]
    public string? Machine { get; init; }

    /// <summary>Permission that a requester needs for a pull request from a fork.</summary>
    [AllowedValues("admin", "write")]
    public string ForkPermission { get; init; } = "admin";

    /// <summary>How often a request measures what it flags, where the budget allows; a comment may say another number.</summary>
    [Range(1, Policy.MostRepeats + 1)]
    public int Confirm { get; init; } = 2;

    /// <summary>Whether a request launches what moved again, traced, to say why, where the budget allows.</summary>
    public bool Explain { get; init; }

    /// <summary>What requests may take.</summary>
    public Budget Budget { get; init; } = new();
}

/// <summary>The `budget` of perf-lab.yaml.</summary>
public sealed record Budget
{
    /// <summary>Most minutes of one request.</summary>
    [AtLeast(0)]
    public int Minutes { get; init; } = 120;

    /// <summary>Most that the machines of one request may cost, in the currency of their prices; no limit when absent.</summary>
    [AtLeast(0)]
    public double? Cost { get; init; }

    /// <summary>Most requests of one person a day.</summary>
    [AtLeast(0)]
    public int PerUserPerDay { get; init; } = 10;
}
