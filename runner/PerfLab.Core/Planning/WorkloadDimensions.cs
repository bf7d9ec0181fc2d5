using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Planning;

/// <summary>A value of a dimension after looking it up: the word for files, and what it stands for.</summary>
public sealed record DimensionValue(string Dimension, string Name, ResolvedRuntime? Runtime = null, FrameworkChoice? Framework = null);

/// <summary>The dimensions that one workload knows, their values and defaults.</summary>
/// <param name="workload">Whose.</param>
/// <param name="facts">What can be had here.</param>
/// <param name="asked">Dimensions that somebody named: of those without a list (`env.NAME`) there are as many as are asked for.</param>
public sealed class WorkloadDimensions(Workload workload, PlanningFacts facts, IEnumerable<string> asked)
{
    public const string Runtime = "runtime", Framework = "framework", Source = "source", Mode = "mode";

    /// <summary>Versions of packages in place of those that the project names.</summary>
    public const string Package = "package";

    /// <summary>Where the program's code lies in memory: a number that says how long some methods are that nobody needs.</summary>
    public const string Layout = "layout";

    /// <summary>Layouts are numbered below this.</summary>
    public const int Layouts = 1_000_000;

    /// <summary>In the order in which they appear in cells: knobs, framework, source, mode, parameters.</summary>
    public IReadOnlyList<string> Names { get; } = [.. Known(workload), .. asked.Where(EnvironmentName.Is).Order(StringComparer.Ordinal)];

    public bool Knows(string dimension) => Names.Contains(dimension, StringComparer.Ordinal);

    public static bool IsParameter(Workload workload, string dimension) => workload.Parameters.Any(parameter => parameter.Name == dimension);

    /// <summary>"age" is how a launch begins, unless the workload has a parameter of that name.</summary>
    public static bool HasOurAge(Workload workload) => !IsParameter(workload, Cell.Age);

    /// <summary>What "*" stands for, or null when the dimension has no closed list.</summary>
    public IReadOnlyList<string>? All(string dimension) => dimension switch
    {
        // A program runs on runtimes newer than the target that it was compiled for.
        Runtime => [.. workload.Build.Runtimes, .. facts.Releases().Where(release => TargetFrameworks.Number(release) > TargetFrameworks.Number(workload.Build.Runtimes[^1]))],
        // Of what the package sources know, only the newest: nobody means some hundred versions.
        Framework => [.. workload.Frameworks.SelectMany(framework => framework.Versions.Count == 0 || framework.Packages.Count > 0
            ? [framework.Name]
            : framework.Versions.Select(version => $"{framework.Name}@{version}"))],
        Mode => [.. workload.Modes.Select(mode => mode.Name)],
        Cell.Age when HasOurAge(workload) => [Cell.Cold],
        Source => null,
        _ when IsOpen(dimension) => null,
        _ when RuntimeKnobs.Find(dimension) is { } knob => knob.Values,
        _ => workload.Parameters.First(parameter => parameter.Name == dimension) is { Values.Count: > 0 } known ? known.Values : null,
    };

    /// <summary>
    /// The value where nothing was asked for; null for `source`, `package`, `env.…`, `cpus`, `memory`, `layout` and `age`, which are
    /// absent then, and for knobs, which follow the others.
    /// </summary>
    public string? Default(string dimension) => dimension switch
    {
        Runtime => workload.Build.Runtimes[^1],
        Framework => workload.Frameworks[0].Name,
        Mode => workload.Modes[0].Name,
        Cell.Age when HasOurAge(workload) => null,
        Source => null,
        _ when IsOpen(dimension) => null,
        _ when RuntimeKnobs.Find(dimension) is not null => null,
        _ => workload.Parameters.First(parameter => parameter.Name == dimension).Default,
    };

    /// <summary>Looks one value up; a wrong one comes back as a problem with the nearest valid values.</summary>
    public (DimensionValue? Value, Problem? Problem) Resolve(string dimension, string text)
    {
        var where = $"{workload.Name}, {dimension}";
        switch (dimension)
        {
            case Runtime:
                return ResolveRuntime(text, where);
            case Framework:
                var (choice, problem) = FrameworkChoice.Parse(workload, text, where);
                return choice is null ? (null, problem) : (new(dimension, choice.Name, Framework: choice), null);
            case Source:
                return (new(dimension, text), null);
            case var name when EnvironmentName.Is(name):
                return EnvironmentDimension.Wrong(name, text, where) is { } wrong ? (null, wrong) : (new(dimension, text), null);
            case var name when LimitDimensions.Is(workload, name):
                var (limit, refusal) = LimitDimensions.Parse(name, text, where);
                return limit is null ? (null, refusal) : (new(dimension, limit), null);
            case Package when IsPackage(dimension):
                var (packages, mistake) = PackageChoice.Parse(text, where);
                return packages is null ? (null, mistake) : (new(dimension, packages.Name), null);
            case Layout when IsLayout(dimension):
                return int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number < Layouts
                    ? (new(dimension, number.ToString(CultureInfo.InvariantCulture)), null)
                    : (null, new(where, $"'{text}' is not the number of a layout.", Invariant($"Between 0 and {Layouts - 1}.")));
            default:
                var parameter = workload.Parameters.FirstOrDefault(known => known.Name == dimension);
                return parameter is not null ? ResolveParameter(parameter, text, where)
                    : OneOf(dimension, text, Valid(dimension), where);
        }
    }

    private IReadOnlyList<string> Valid(string dimension) =>
        RuntimeKnobs.Find(dimension) is { } knob ? [.. knob.Values, RuntimeKnobs.Untouched] : All(dimension)!;

    /// <summary>A parameter of that name goes first: the manifest is the workload's own.</summary>
    private bool IsLayout(string dimension) => dimension == Layout && !IsParameter(workload, Layout);

    /// <summary>Without a list of values, and absent where nobody names it.</summary>
    private bool IsOpen(string dimension) => IsLayout(dimension) || IsPackage(dimension) || EnvironmentName.Is(dimension)
        || LimitDimensions.Is(workload, dimension);

    private bool IsPackage(string dimension) => dimension == Package && !IsParameter(workload, Package);

    private (DimensionValue? Value, Problem? Problem) ResolveRuntime(string text, string where)
    {
        var (runtime, problem) = facts.Runtimes(text, workload);
        return runtime is null
            ? (null, problem! with { Where = where })
            : (new(Runtime, runtime.Name, Runtime: runtime), null);
    }

    private static (DimensionValue? Value, Problem? Problem) OneOf(string dimension, string text, IReadOnlyList<string> valid, string where) =>
        valid.Contains(text, StringComparer.Ordinal)
            ? (new(dimension, text), null)
            : (null, new(where, $"'{text}' is not a value of {dimension}.", $"Valid: {string.Join(", ", valid)}."));

    private static (DimensionValue? Value, Problem? Problem) ResolveParameter(ParameterDefinition parameter, string text, string where)
    {
        if (parameter.Values.Count > 0)
        {
            return OneOf(parameter.Name, text, parameter.Values, where);
        }

        if (parameter.Type == ParameterType.Text)
        {
            // It becomes an environment variable and a table cell: printable ASCII without the separators of an ARM.
            return text.Length <= 128 && text.All(character => character is > ' ' and <= '~')
                ? (new(parameter.Name, text), null)
                : (null, new(where, "a text value has at most 128 printable characters and no blanks."));
        }

        var style = parameter.Type == ParameterType.Integer ? NumberStyles.AllowLeadingSign : NumberStyles.Float;
        if (!double.TryParse(text, style, CultureInfo.InvariantCulture, out var number) || !double.IsFinite(number))
        {
            var kind = parameter.Type == ParameterType.Integer ? "a whole number" : "a number";
            return (null, new(where, $"'{text}' is not {kind}.", $"Default: {parameter.Default}."));
        }

        return number < parameter.Min || number > parameter.Max
            ? (null, new(where, $"{text} is out of range.", Range(parameter)))
            : (new(parameter.Name, text), null);
    }

    private static string Range(ParameterDefinition parameter) => (parameter.Min, parameter.Max) switch
    {
        ({ } min, { } max) => Invariant($"Between {min} and {max}."),
        ({ } min, null) => Invariant($"At least {min}."),
        (null, { } max) => Invariant($"At most {max}."),
        _ => "",
    };

    private static IEnumerable<string> Known(Workload workload)
    {
        if (workload.Build.Kind == BuildKind.Dotnet)
        {
            yield return Runtime;
        }

        if (workload.HasKnobs)
        {
            foreach (var knob in RuntimeKnobs.All)
            {
                yield return knob.Name;
            }
        }

        if (workload.Frameworks.Count > 0)
        {
            yield return Framework;
        }

        if (workload.Frameworks.Any(framework => framework.SourceProperty is not null))
        {
            yield return Source;
        }

        if (workload.Build.Kind == BuildKind.Dotnet && !IsParameter(workload, Package))
        {
            yield return Package;
        }

        if (workload.Modes.Count > 1)
        {
            yield return Mode;
        }

        if (ColdStart.IsKnownTo(workload))
        {
            yield return Cell.Age;
        }

        // It is compiled in, which the driver of BenchmarkDotNet and a Dockerfile do not know of.
        if (workload.Build.Kind == BuildKind.Dotnet && !workload.IsBenchmarkDotNet() && !IsParameter(workload, Layout))
        {
            yield return Layout;
        }

        foreach (var limit in LimitDimensions.Names.Where(name => LimitDimensions.Is(workload, name)))
        {
            yield return limit;
        }

        foreach (var parameter in workload.Parameters)
        {
            yield return parameter.Name;
        }
    }
}
