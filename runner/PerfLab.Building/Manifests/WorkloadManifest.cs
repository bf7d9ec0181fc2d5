using System.Text.RegularExpressions;
using PerfLab.Core.Files;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Cells;

namespace PerfLab.Building.Manifests;

/// <summary>Reads workload.yaml (docs/formats.md) into a checked <see cref="Workload"/>.</summary>
public static partial class WorkloadManifest
{
    public const string FileName = "workload.yaml";
    private const string Schema = "perf-lab/workload/1";

    private static readonly Dictionary<string, BuildKind> BuildKinds = new(StringComparer.Ordinal)
    {
        ["dotnet"] = BuildKind.Dotnet,
        ["none"] = BuildKind.None,
        ["docker"] = BuildKind.Docker,
    };

    private static readonly Dictionary<string, ResultFormat> ResultFormats = new(StringComparer.Ordinal)
    {
        ["perf-lab"] = ResultFormat.PerfLab,
        ["benchmarkdotnet"] = ResultFormat.BenchmarkDotNet,
    };

    /// <summary>The workload, or null when the file has problems (added to <paramref name="problems"/>).</summary>
    public static Workload? Read(string folder, ICollection<Problem> problems)
    {
        var before = problems.Count;
        var file = new YamlFile(Path.Combine(folder, FileName), problems);
        if (file.Read(Schema) is not { } yaml)
        {
            return null;
        }

        var name = yaml.Text("name");
        if (!Name().IsMatch(name) || name != Path.GetFileName(folder))
        {
            yaml.Problem("name", $"is '{name}', expected the folder's name in the letters a-z, 0-9 and -.");
        }

        var build = ReadBuild(yaml.RequiredMap("build"));
        var command = yaml.Texts("command");
        if (command.Count == 0)
        {
            yaml.Problem("command", "must name the program to start.");
        }

        var metrics = ReadMetrics(yaml);
        var workload = new Workload
        {
            Name = name,
            Summary = yaml.Text("summary"),
            Folder = Path.GetFullPath(folder),
            Build = build,
            Command = command,
            Frameworks = [.. yaml.Maps("frameworks").Select(member => ReadFramework(member.Name, member.Map))],
            Parameters = [.. yaml.Maps("parameters").Select(member => ReadParameter(member.Name, member.Map))],
            Modes = ReadModes(yaml, metrics),
            Launch = ReadLaunch(yaml.RequiredMap("launch")),
            Resources = ReadResources(yaml.Map("resources")),
            Result = yaml.OneOf("result", ResultFormats, ResultFormat.PerfLab),
        };
        yaml.End();
        return problems.Count == before ? workload : null;
    }

    private static BuildDefinition ReadBuild(YamlMap yaml)
    {
        var build = new BuildDefinition
        {
            Kind = yaml.OneOf("kind", BuildKinds, BuildKind.None),
            Project = yaml.TextOrNull("project"),
            Dockerfile = yaml.TextOrNull("dockerfile"),
            Runtimes = [.. yaml.Texts("runtimes").OrderBy(TargetFrameworks.Number)],
            AspNetCore = yaml.Flag("aspnetcore"),
            Knobs = yaml.Flag("knobs"),
        };
        if (build.Kind == BuildKind.Dotnet && (build.Project is null || build.Runtimes.Count == 0))
        {
            yaml.Problem("kind", "dotnet needs `project` and `runtimes`.");
        }

        if (build.Kind == BuildKind.Docker && build.Dockerfile is null)
        {
            yaml.Problem("kind", "docker needs `dockerfile`.");
        }

        foreach (var runtime in build.Runtimes.Where(runtime => double.IsNaN(TargetFrameworks.Number(runtime))))
        {
            yaml.Problem("runtimes", $"'{runtime}' is not a target framework such as net10.0.");
        }

        foreach (var inside in new[] { build.Project, build.Dockerfile }.Where(path => path is not null && !IsInside(path)))
        {
            yaml.Problem("project", $"'{inside}' must be a path inside the workload's folder.");
        }

        yaml.End();
        return build;
    }

    private static bool IsInside(string path) => !Path.IsPathRooted(path) && !path.Split('/').Contains("..", StringComparer.Ordinal);

    private static FrameworkDefinition ReadFramework(string name, YamlMap yaml)
    {
        var framework = new FrameworkDefinition
        {
            Name = name,
            Property = yaml.TextOrNull("property"),
            Versions = yaml.Texts("versions"),
            Default = yaml.TextOrNull("default"),
            SourceProperty = yaml.TextOrNull("source-property"),
            Needs = ReadNeeds(yaml.Map("needs")),
        };
        if (framework.Property is not null && framework.Default is null)
        {
            yaml.Problem("default", "is missing: a framework with versions needs one.");
        }

        foreach (var property in new[] { framework.Property, framework.SourceProperty }.Where(text => text is not null && !Property().IsMatch(text)))
        {
            yaml.Problem("property", $"'{property}' is not an MSBuild property name.");
        }

        yaml.End();
        return framework;
    }

    /// <summary>`needs: { "7.0": net7.0, "8.0": net8.0 }`: from a version on, the lowest runtime.</summary>
    private static List<FrameworkNeed> ReadNeeds(YamlMap? yaml)
    {
        var needs = new List<FrameworkNeed>();
        foreach (var version in yaml?.Keys ?? [])
        {
            var runtime = yaml!.Text(version);
            if (double.IsNaN(TargetFrameworks.Number(runtime)))
            {
                yaml.Problem(version, $"is '{runtime}', expected the lowest runtime that it runs on, such as net8.0.");
            }

            needs.Add(new(version, runtime));
        }

        yaml?.End();
        return [.. needs.OrderBy(need => need.Version, VersionOrder.Instance)];
    }

    private static ParameterDefinition ReadParameter(string name, YamlMap yaml)
    {
        var text = yaml.Text("default");
        var parameter = new ParameterDefinition
        {
            Name = name,
            Default = text,
            Type = long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out _) ? ParameterType.Integer
                : double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out _) ? ParameterType.Number
                : ParameterType.Text,
            Values = yaml.Texts("values"),
            Min = yaml.Number("min"),
            Max = yaml.Number("max"),
        };
        if (!Name().IsMatch(name))
        {
            yaml.Problem("", $"'{name}': parameter names are made of a-z, 0-9 and -.");
        }

        if (parameter.Values.Count > 0 && !parameter.Values.Contains(text, StringComparer.Ordinal))
        {
            yaml.Problem("default", $"'{text}' is not one of the values.");
        }

        yaml.End();
        return parameter;
    }

    private static List<Metric> ReadMetrics(YamlMap yaml)
    {
        var metrics = new List<Metric>();
        foreach (var (name, map) in yaml.Maps("metrics"))
        {
            metrics.Add(new Metric(
                name, map.Text("unit"), map.OneOf("better", JournalWords.Directions, Better.Lower), map.Flag("primary"),
                map.OneOf("kind", JournalWords.MetricKinds, MetricKind.Sampled)));
            if (!Name().IsMatch(name))
            {
                map.Problem("", $"'{name}': metric names are made of a-z, 0-9 and -.");
            }

            map.Text("better");
            map.End();
        }

        return metrics;
    }

    /// <summary>`modes: { steady: default, faithful: { metrics: […] } }`; without `modes` there is one, steady, with every metric.</summary>
    private static List<ModeDefinition> ReadModes(YamlMap yaml, List<Metric> metrics)
    {
        var modes = new List<(ModeDefinition Mode, bool Default)>();
        if (yaml.Map("modes") is { } map)
        {
            foreach (var name in map.Keys)
            {
                var isDefault = map.IsText(name) && map.Text(name) == "default";
                var named = map.IsText(name) ? [] : map.RequiredMap(name).Texts("metrics");
                foreach (var unknown in named.Where(text => metrics.All(metric => metric.Name != text)))
                {
                    map.Problem(name, $"names the metric '{unknown}', which is not declared.");
                }

                modes.Add((new(name, [.. metrics.Where(metric => named.Count == 0 || named.Contains(metric.Name, StringComparer.Ordinal))]), isDefault));
            }
        }

        var ordered = modes.OrderByDescending(mode => mode.Default).Select(mode => mode.Mode).DefaultIfEmpty(new("steady", metrics)).ToList();
        foreach (var mode in ordered.Where(mode => mode.Metrics.Count(metric => metric.Primary) != 1))
        {
            yaml.Problem("metrics", $"need exactly one primary in mode {mode.Name}, found {mode.Metrics.Count(metric => metric.Primary)}.");
        }

        return ordered;
    }

    private static LaunchTimes ReadLaunch(YamlMap yaml)
    {
        var times = new LaunchTimes(yaml.Seconds("warm-up") ?? 0, yaml.Seconds("measure") ?? 0, yaml.Seconds("timeout") ?? 60);
        if (times.TimeoutSeconds <= times.WarmUpSeconds + times.MeasureSeconds)
        {
            yaml.Problem("timeout", "must be longer than warm-up and measure together.");
        }

        yaml.End();
        return times;
    }

    private static Resources ReadResources(YamlMap? yaml)
    {
        var resources = new Resources(yaml?.Integer("cpus") ?? 2, ReadBytes(yaml) ?? 2L << 30, yaml?.Integer("pids") ?? 512);
        if (yaml?.TextOrNull("network") is { } network and not "none")
        {
            yaml.Problem("network", $"is '{network}': only none is offered; loopback is always there.");
        }

        if (resources.Cpus < 1 || resources.Pids < 1)
        {
            yaml?.Problem("cpus", "and pids must be at least 1.");
        }

        yaml?.End();
        return resources;
    }

    private static long? ReadBytes(YamlMap? yaml)
    {
        if (yaml?.TextOrNull("memory") is not { } text)
        {
            return null;
        }

        var match = Bytes().Match(text);
        if (!match.Success)
        {
            yaml.Problem("memory", $"is '{text}', expected a size such as 512MiB or 2GiB.");
            return null;
        }

        var shift = match.Groups["unit"].Value == "GiB" ? 30 : 20;
        return long.Parse(match.Groups["count"].ValueSpan, CultureInfo.InvariantCulture) << shift;
    }

    [GeneratedRegex("^[a-z0-9][a-z0-9-]{0,63}$", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Name();

    [GeneratedRegex("^[A-Za-z_][A-Za-z0-9_]{0,63}$", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Property();

    [GeneratedRegex("^(?<count>[1-9][0-9]{0,6})(?<unit>MiB|GiB)$", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Bytes();
}
