using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Building.Manifests;

/// <summary>A named set of workloads and dimension values.</summary>
public sealed record Suite(string Name, IReadOnlyList<string> Workloads, IReadOnlyDictionary<string, IReadOnlyList<string>> Set);

/// <summary>A machine that the lab knows.</summary>
public sealed record MachineDefinition
{
    public required string Name { get; init; }

    /// <summary>"azure" or "metal".</summary>
    public required string Kind { get; init; }
    public string? Size { get; init; }

    /// <summary>Cores for workloads, in the kernel's list form.</summary>
    public string? WorkloadCpus { get; init; }
    public string? LabCpus { get; init; }

    /// <summary>Hygiene policy: "azure", "metal" or "any".</summary>
    public string Policy { get; init; } = "any";

    /// <summary>In the currency of the subscription; only for estimates.</summary>
    public double? PricePerHour { get; init; }
}

/// <summary>What a plan made for a pull request needs of perf-lab.yaml's `github`; the rest of it is read by the GitHub part.</summary>
/// <param name="Machine">Machine of a bare /benchmark.</param>
/// <param name="BudgetMinutes">The longest that one request may measure.</param>
public sealed record PullRequestRules(string? Machine = null, double BudgetMinutes = 120);

/// <summary>perf-lab.yaml (docs/formats.md).</summary>
public sealed record LabConfig
{
    public const string FileName = "perf-lab.yaml";
    private const string Schema = "perf-lab/config/1";

    /// <summary>Folder of perf-lab.yaml; relative paths start here.</summary>
    public required string Root { get; init; }
    public required IReadOnlyList<string> WorkloadFolders { get; init; }
    public IReadOnlyList<Suite> Suites { get; init; } = [];
    public Policy Policy { get; init; } = new();
    public IReadOnlyList<MachineDefinition> Machines { get; init; } = [];
    public PullRequestRules PullRequests { get; init; } = new();

    /// <summary>Where builds, bases and sessions are kept.</summary>
    public string Store => Path.Combine(Root, ".perf-lab");

    public static LabConfig? Read(string root, ICollection<Problem> problems)
    {
        var path = Path.Combine(root, FileName);
        if (!File.Exists(path))
        {
            return new LabConfig { Root = root, WorkloadFolders = [Path.Combine(root, "workloads")] };
        }

        var before = problems.Count;
        if (new YamlFile(path, problems).Read(Schema) is not { } yaml)
        {
            return null;
        }

        IReadOnlyList<string> folders = yaml.Texts("workloads") is { Count: > 0 } named ? named : ["workloads"];
        var config = new LabConfig
        {
            Root = root,
            WorkloadFolders = [.. folders.Select(folder => Path.GetFullPath(Path.Combine(root, folder)))],
            Suites = [.. yaml.Maps("suites").Select(member => ReadSuite(member.Name, member.Map))],
            Policy = ReadPolicy(yaml.Map("policy")),
            Machines = [.. yaml.Maps("machines").Select(member => ReadMachine(member.Name, member.Map))],
            PullRequests = ReadPullRequestRules(yaml.Map("github")),
        };
        // Read by the result store, not here; named so that it is not called unknown.
        yaml.Map("history");
        yaml.End();
        return problems.Count == before ? config : null;
    }

    private static Suite ReadSuite(string name, YamlMap yaml)
    {
        var set = new SortedDictionary<string, IReadOnlyList<string>>(StringComparer.Ordinal);
        if (yaml.Map("set") is { } values)
        {
            foreach (var dimension in values.Keys)
            {
                set[dimension] = values.Texts(dimension);
            }
        }

        var suite = new Suite(name, yaml.Texts("workloads"), set);
        yaml.End();
        return suite;
    }

    private static Policy ReadPolicy(YamlMap? yaml)
    {
        var policy = new Policy();
        if (yaml is null)
        {
            return policy;
        }

        policy = policy with
        {
            ScreenRounds = yaml.Integer("screen-rounds") ?? policy.ScreenRounds,
            ConfirmRounds = yaml.Integer("confirm-rounds") ?? policy.ConfirmRounds,
            KeepP = yaml.Number("keep-p") ?? policy.KeepP,
            FamilyError = yaml.Number("family-error") ?? policy.FamilyError,
            Margin = yaml.Number("margin") ?? policy.Margin,
            Interval = yaml.Number("interval") ?? policy.Interval,
            TooNoisy = yaml.Number("too-noisy") ?? policy.TooNoisy,
        };
        yaml.End();
        return policy;
    }

    // No End() here: the other members belong to the GitHub part.
    private static PullRequestRules ReadPullRequestRules(YamlMap? yaml)
    {
        var rules = new PullRequestRules();
        return new(yaml?.TextOrNull("machine"), yaml?.Map("budget")?.Number("minutes") ?? rules.BudgetMinutes);
    }

    private static MachineDefinition ReadMachine(string name, YamlMap yaml)
    {
        var cpus = yaml.Map("cpus");
        var machine = new MachineDefinition
        {
            Name = name,
            Kind = yaml.Text("kind"),
            Size = yaml.TextOrNull("size"),
            WorkloadCpus = cpus?.TextOrNull("workload"),
            LabCpus = cpus?.TextOrNull("lab"),
            Policy = yaml.TextOrNull("policy") ?? "any",
            PricePerHour = yaml.Number("price-per-hour"),
        };
        cpus?.End();
        yaml.End();
        return machine;
    }
}
