using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Core.Model;

/// <summary>A program under measurement: workload.yaml as an object, already checked.</summary>
public sealed record Workload
{
    public required string Name { get; init; }
    public required string Summary { get; init; }

    /// <summary>Absolute path of the folder that holds workload.yaml.</summary>
    public required string Folder { get; init; }
    public required BuildDefinition Build { get; init; }
    public required IReadOnlyList<string> Command { get; init; }

    /// <summary>In the order of the manifest: the first is the default. Empty: the workload has no framework dimension.</summary>
    public IReadOnlyList<FrameworkDefinition> Frameworks { get; init; } = [];
    public IReadOnlyList<ParameterDefinition> Parameters { get; init; } = [];

    /// <summary>At least one; the first is the default.</summary>
    public required IReadOnlyList<ModeDefinition> Modes { get; init; }
    /// <summary>The values of the parameter `nodes`, which is among <see cref="Parameters"/>; empty: a launch is one program.</summary>
    public IReadOnlyList<NodeLayout> Layouts { get; init; } = [];
    public required LaunchTimes Launch { get; init; }

    /// <summary>Of each node, where a launch has several.</summary>
    public required Resources Resources { get; init; }

    /// <summary>
    /// Of a project with benchmarks: (arm, patch of the runtime) -> why it has no build. It was built to list them, so a plan need not
    /// find out again.
    /// </summary>
    public IReadOnlyDictionary<(string Arm, string? Patch), string> NotBuilt { get; init; } =
        new Dictionary<(string Arm, string? Patch), string>();

    /// <summary>Of a project with benchmarks: (arm, patch of the runtime) that gave the bits of the reference, and is not
    /// launched.</summary>
    public IReadOnlySet<(string Arm, string? Patch)> SameBits { get; init; } = new HashSet<(string Arm, string? Patch)>();

    /// <summary>What the workload writes.</summary>
    public ResultFormat Result { get; init; } = ResultFormat.PerfLab;

    /// <summary>The same workload for other target frameworks, oldest first.</summary>
    public Workload Claiming(IReadOnlyList<string> runtimes) => this with { Build = Build with { Runtimes = runtimes } };

    /// <summary>Whether the runtime's knobs are dimensions of this workload.</summary>
    public bool HasKnobs => Build.Kind == BuildKind.Dotnet || Build.Knobs;
}

/// <summary>How the bits of an arm come to be. A command is not built: it runs where it lies, and no manifest can ask for that.</summary>
public enum BuildKind { Dotnet, None, Docker, Command }

/// <summary>The manifest's `build`.</summary>
public sealed record BuildDefinition
{
    public required BuildKind Kind { get; init; }
    public string? Project { get; init; }
    public string? Dockerfile { get; init; }

    /// <summary>Runtimes the workload claims, oldest first ("net8.0").</summary>
    public IReadOnlyList<string> Runtimes { get; init; } = [];

    /// <summary>The project has a FrameworkReference to Microsoft.AspNetCore.App, whose packs must be there, too.</summary>
    public bool AspNetCore { get; init; }

    /// <summary>A script that starts .NET itself wants the knobs too.</summary>
    public bool Knobs { get; init; }
}

/// <summary>One value of the dimension `framework`, with the versions that are known to exist.</summary>
public sealed record FrameworkDefinition
{
    public const string RuntimePattern = @"^net(coreapp)?[0-9]{1,3}\.[0-9]{1,3}$", RuntimeInWords = "a target framework such as net10.0";

    private const string PropertyPattern = "^[A-Za-z_][A-Za-z0-9_]{0,63}$", PropertyInWords = "an MSBuild property name";

    [JsonIgnore]
    public string Name { get; init; } = "";

    /// <summary>MSBuild property that takes the version; absent when the framework is in the runtime.</summary>
    [RegularExpression(PropertyPattern, ErrorMessage = PropertyInWords)]
    public string? Property { get; init; }

    /// <summary>
    /// NuGet packages that have the framework's version, all of them: the package sources say which versions there are, and the newest
    /// release is the default.
    /// </summary>
    public IReadOnlyList<string> Packages { get; init; } = [];

    /// <summary>With `packages`: the lowest version that the workload was written for.</summary>
    public string? From { get; init; }

    /// <summary>Versions known to exist, beside those that the package sources say.</summary>
    public IReadOnlyList<string> Versions { get; init; } = [];

    /// <summary>The version when none is named; with `packages` the newest release.</summary>
    public string? Default { get; init; }

    /// <summary>From a version on, the lowest runtime that it runs on: { "7.0": net7.0, "8.0": net8.0 }. Empty: any.</summary>
    [RegularExpression(RuntimePattern, ErrorMessage = RuntimeInWords)]
    public IReadOnlyDictionary<string, string> Needs { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>
    /// MSBuild property that takes the absolute path of a checkout (`source=`); absent when it can't be built from source.
    /// </summary>
    [RegularExpression(PropertyPattern, ErrorMessage = PropertyInWords)]
    public string? SourceProperty { get; init; }
}

/// <summary>What a parameter's values look like; taken from its default.</summary>
public enum ParameterType { Text, Integer, Number }

/// <summary>A workload parameter: `values` is a closed list, or min and max bound a number.</summary>
public sealed record ParameterDefinition
{
    public required string Name { get; init; }
    public required string Default { get; init; }
    public required ParameterType Type { get; init; }
    public IReadOnlyList<string> Values { get; init; } = [];
    public double? Min { get; init; }
    public double? Max { get; init; }

    /// <summary>Of benchmarks: value -> [BenchmarkCategory]; null where nobody asked the program.</summary>
    public IReadOnlyDictionary<string, IReadOnlyList<string>>? Categories { get; init; }

    /// <summary>Values of the list that can't be measured here, and why.</summary>
    public IReadOnlyDictionary<string, string> Missing { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);
}

/// <summary>`steady` or `faithful`, with the metrics that it yields: never mixed in one series.</summary>
public sealed record ModeDefinition(string Name, IReadOnlyList<Metric> Metrics)
{
    /// <summary>Its load comes by a schedule that does not wait for answers.</summary>
    public bool IsOpenLoop { get; init; }
}

/// <summary>What a launch takes in seconds, the same for every arm.</summary>
/// <param name="WarmUpSeconds">At least; it goes on until the program is at rest. 0: measured from the start.</param>
/// <param name="TimeoutSeconds">The deadline: a launch that takes longer is stopped.</param>
public sealed record LaunchTimes([AtLeast(0)] double WarmUpSeconds, [AtLeast(0)] double MeasureSeconds, [AtLeast(0)] double TimeoutSeconds)
{
    /// <summary>So much longer than its least time a warm-up may last, in seconds; nine times as long as nothing must have been compiled.</summary>
    public const double UntilRest = 10, UntilRestOnOneCore = 27;

    /// <summary>A program that is flat is at rest after so many seconds where it has one core: the runtime waits ten times longer there.</summary>
    public const double RestOnOneCore = 4.5;

    /// <summary>
    /// At most so long. Of what the deadline leaves after the least time and the measuring it takes no more than half, since a launch
    /// has more to do than to warm up.
    /// </summary>
    /// <param name="cores">That the program may use.</param>
    public double WarmUpBoundSeconds(int cores) => WarmUpSeconds <= 0 ? 0
        : WarmUpSeconds + Math.Clamp(
            (TimeoutSeconds - MeasureSeconds - WarmUpSeconds) / 2, 0, cores == 1 ? UntilRestOnOneCore : UntilRest);

    /// <summary>What a program that comes to rest at once takes.</summary>
    /// <param name="cores">That it may use.</param>
    public double ExpectedWarmUpSeconds(int cores) => cores > 1 ? WarmUpSeconds
        : Math.Min(WarmUpBoundSeconds(cores), Math.Max(WarmUpSeconds, RestOnOneCore));
}

/// <summary>
/// The file a workload writes: result.json, BenchmarkDotNet's full JSON, or none: then what counts is how long it took, seen from outside.
/// </summary>
public enum ResultFormat { PerfLab, BenchmarkDotNet, WallTime }
