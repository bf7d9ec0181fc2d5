using System.ComponentModel.DataAnnotations;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Building.Manifests;

/// <summary>workload.yaml as people write it (docs/internals/formats.md); a <see cref="Workload"/> is what the planner takes.</summary>
public sealed record WorkloadManifest : IChecked
{
    public const string FileName = "workload.yaml";

    public static FileFormat<WorkloadManifest> Format { get; } =
        YamlTree.Format<WorkloadManifest>("perf-lab/workload/1", "workload.yaml: a program under measurement");

    /// <summary>
    /// The folder's name where the workload is found by name. A folder that is pointed at may have any name, or none: then it follows from
    /// the folder's.
    /// </summary>
    [RegularExpression(NameForm.Pattern, ErrorMessage = NameForm.InWords)]
    public string Name { get; init; } = "";

    /// <summary>One line.</summary>
    [MinLength(1)]
    public required string Summary { get; init; }

    /// <summary>How the bits of an arm come to be.</summary>
    public required BuildEntry Build { get; init; }

    /// <summary>Program and arguments, relative to the build's folder. Left out with `result: benchmarkdotnet`.</summary>
    [MinLength(1)]
    public IReadOnlyList<string> Command { get; init; } = [];

    /// <summary>The dimension framework; the first is the default.</summary>
    public OrderedDictionary<string, FrameworkDefinition> Frameworks { get; init; } = [];

    /// <summary>Workload parameters; the type follows from the default.</summary>
    [Keys(NameForm.Pattern, InWords = NameForm.InWords)]
    public OrderedDictionary<string, ParameterEntry> Parameters { get; init; } = [];

    /// <summary>
    /// The parameter `nodes`: each of its values, the first of which is the default, has roles with how many programs each, in the order in
    /// which they are started. `{}` is one program.
    /// </summary>
    [AtLeast(1)]
    public OrderedDictionary<string, OrderedDictionary<string, int>> Nodes { get; init; } = [];

    /// <summary>Chosen like a parameter; never mixed in one series. "default" is the mode when none is named.</summary>
    public OrderedDictionary<string, ModeEntry> Modes { get; init; } = [];

    /// <summary>What a launch yields. Left out with `result: benchmarkdotnet`: time, allocated and collections of an operation.</summary>
    [MinLength(1)]
    [Keys(NameForm.Pattern, InWords = NameForm.InWords)]
    public OrderedDictionary<string, MetricEntry> Metrics { get; init; } = [];

    /// <summary>The same for every arm; passed to the workload.</summary>
    public required LaunchEntry Launch { get; init; }

    /// <summary>Limits of a launch.</summary>
    public ResourcesEntry Resources { get; init; } = new();

    /// <summary>What the workload writes.</summary>
    [AllowedValues("perf-lab", "benchmarkdotnet")]
    public string Result { get; init; } = "perf-lab";

    private bool IsBenchmarkDotNet => Result == "benchmarkdotnet";

    // Without `modes` there is one, with every metric.
    private IEnumerable<(string Name, ModeEntry Mode)> AllModes =>
        Modes.Select(pair => (pair.Key, pair.Value)).DefaultIfEmpty(("steady", new(IsDefault: true, [])));

    /// <summary>The workload, or null when the file has problems (added to <paramref name="problems"/>).</summary>
    /// <param name="folder">Where it is.</param>
    /// <param name="problems">Grows.</param>
    /// <param name="isNamed">The folder was found by its name, so the file can't have another.</param>
    public static Workload? Read(string folder, ICollection<Problem> problems, bool isNamed = true) =>
        YamlTree.Read(Format, Path.Combine(folder, FileName), problems, name: isNamed ? Path.GetFileName(folder) : null)?.ToWorkload(
            Path.GetFullPath(folder));

    public IEnumerable<Problem> Problems()
    {
        foreach (var problem in IsBenchmarkDotNet ? BenchmarkManifest.Problems(this) : Missing())
        {
            yield return problem;
        }

        foreach (var (name, framework) in Frameworks.Where(pair => pair.Value is { Property: not null, Default: null, Packages: [] }))
        {
            yield return new($"frameworks.{name}", "needs `packages`, whose newest release is the default, or `default`");
        }

        foreach (var (name, framework) in Frameworks.Where(pair => pair.Value is { Packages: not [], From: null } or { Packages: [], From: not null }))
        {
            yield return new($"frameworks.{name}", "`packages` and `from`, the lowest version that the workload was written for, go together");
        }

        foreach (var (name, parameter) in Parameters.Where(pair => pair.Value.Values.Count > 0 && !pair.Value.Values.Contains(pair.Value.Default)))
        {
            yield return new($"parameters.{name}.default", $"must be one of {string.Join(", ", parameter.Values)}");
        }

        foreach (var (name, mode) in AllModes)
        {
            foreach (var (index, metric) in mode.Metrics.Index().Where(pair => !Metrics.ContainsKey(pair.Item)))
            {
                yield return new(
                    Invariant($"modes.{name}.metrics[{index}]"), "must be one of this file's metrics", NearestNames.Suggest(metric, Metrics.Keys));
            }

            if (Metrics.Count > 0 && MetricsOf(mode).Count(metric => metric.Primary) is var primaries and not 1)
            {
                yield return new("metrics", Invariant($"need exactly one primary in mode {name}, have {primaries}"));
            }
        }

        foreach (var problem in Layouts.Problems(this))
        {
            yield return problem;
        }

        if (Launch.Timeout.Seconds <= Launch.WarmUp.Seconds + Launch.Measure.Seconds)
        {
            yield return new("launch.timeout", "must be longer than warm-up and measure together");
        }
    }

    private IEnumerable<Problem> Missing()
    {
        if (Command.Count == 0)
        {
            yield return new("command", "is missing");
        }

        if (Metrics.Count == 0)
        {
            yield return new("metrics", "is missing");
        }
    }

    private Workload ToWorkload(string folder) => new()
    {
        Name = Name.Length > 0 ? Name : NameForm.Derive(Path.GetFileName(folder)),
        Summary = Summary,
        Folder = folder,
        Build = Build.Definition,
        Command = IsBenchmarkDotNet ? [BenchmarkCases.Program] : Command,
        Frameworks = [.. Frameworks.Select(pair => pair.Value with { Name = pair.Key })],
        Parameters = [.. Parameters.Select(pair => pair.Value.ToDefinition(pair.Key)), .. Manifests.Layouts.Parameter(Nodes)],
        Layouts = Manifests.Layouts.Of(Nodes),
        Modes = [.. AllModes.OrderByDescending(pair => pair.Mode.IsDefault)
            .Select(pair => new ModeDefinition(pair.Name, MetricsOf(pair.Mode)) { IsOpenLoop = pair.Mode.IsOpenLoop })],
        Launch = new(Launch.WarmUp.Seconds, Launch.Measure.Seconds, Launch.Timeout.Seconds),
        Resources = new(Resources.Cpus, Resources.Memory.Bytes, Resources.Pids),
        Result = IsBenchmarkDotNet ? ResultFormat.BenchmarkDotNet : ResultFormat.PerfLab,
    };

    private IReadOnlyList<Metric> MetricsOf(ModeEntry mode) => IsBenchmarkDotNet ? BenchmarkCases.Metrics :
    [
        .. Metrics.Where(pair => mode.Metrics.Count == 0 || mode.Metrics.Contains(pair.Key, StringComparer.Ordinal))
            .Select(pair => new Metric(pair.Key, pair.Value.Unit, pair.Value.Better, pair.Value.Primary, pair.Value.Kind)),
    ];
}
