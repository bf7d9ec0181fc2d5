using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Planning;

namespace PerfLab.Core.Tests.Planning;

/// <summary>Workloads and requests for planning tests.</summary>
internal static class Workloads
{
    public static readonly Workload Json = new()
    {
        Name = "json-round-trip",
        Summary = "serialise and parse",
        Folder = "/workloads/json-round-trip",
        Build = new() { Kind = BuildKind.Dotnet, Project = "JsonRoundTrip.csproj", Runtimes = ["net8.0", "net9.0", "net10.0"] },
        Command = ["./JsonRoundTrip"],
        Frameworks =
        [
            new() { Name = "newtonsoft", Property = "NewtonsoftVersion", Versions = ["12.0.1", "12.0.3", "13.0.3"], Default = "13.0.3", SourceProperty = "NewtonsoftSource" },
            new() { Name = "stj" },
        ],
        Parameters = [new() { Name = "documents", Default = "1000", Type = ParameterType.Integer, Values = ["100", "1000"] }],
        Modes = [new("steady", [new("throughput", "doc/s", Better.Higher, Primary: true)])],
        Launch = new(2, 3, 60),
        Resources = new(2, 1L << 30, 512),
    };

    public static readonly Workload Spin = Json with
    {
        Name = "calibrated-spin",
        Folder = "/workloads/calibrated-spin",
        Frameworks = [],
        Parameters = [new() { Name = "slower", Default = "0", Type = ParameterType.Number, Min = 0, Max = 10 }],
    };

    public static readonly Workload Script = Json with
    {
        Name = "script",
        Folder = "/workloads/script",
        Build = new() { Kind = BuildKind.None },
        Frameworks = [],
        Parameters = [],
    };

    public static Workload Benchmarks(params string[] names) => Spin with
    {
        Name = "My.Benchmarks",
        Folder = "/somewhere/My.Benchmarks",
        Build = Spin.Build with { Project = "My.Benchmarks.csproj" },
        Command = [BenchmarkCases.Program],
        Parameters = [new() { Name = BenchmarkCases.Parameter, Default = names[0], Type = ParameterType.Text, Values = names }],
        Modes = [new("steady", BenchmarkCases.Metrics)],
        Result = ResultFormat.BenchmarkDotNet,
    };

    public static BenchmarkRequest Request(params ArmRequest[] arms) => new() { Targets = [], Arms = arms, Seed = 7 };

    public static ArmRequest Arm(string id, params string[] pairs) => ArmText.Parse("--arm", id, string.Join(',', pairs), []);

    public static ArmRequest Bare(string id) => new(id, new Dictionary<string, string>());

    public static BenchmarkRequest With(this BenchmarkRequest request, string dimension, params string[] values) =>
        request with { Set = new SortedDictionary<string, IReadOnlyList<string>>(request.Set.ToDictionary()) { [dimension] = values } };

    public static PlanResult Plan(BenchmarkRequest request, params Workload[] workloads) => Planner.Plan(request, new(workloads, Runtime));

    /// <summary>.NET 3.1 and 6 and 8 to 10 can be had, 7 is known and can't.</summary>
    private static (ResolvedRuntime? Runtime, Problem? Problem) Runtime(string text, Workload workload) => text switch
    {
        "netcoreapp3.1.3" when workload.Build.AspNetCore => (new(text, "netcoreapp3.1", "3.1.3", $"{workload.Name} needs ASP.NET Core 3.1.3, which nobody has"), null),
        "netcoreapp3.1.3" => (new(text, "netcoreapp3.1", "3.1.3", null), null),
        "netcoreapp3.1" => (new(text, "netcoreapp3.1", "3.1.3", null), null),
        "net6.0" => (new(text, "net6.0", "6.0.36", null), null),
        "net7.0" => (new(text, "net7.0", "7.0.20", "no package source has .NET 7.0.20"), null),
        "net8.0" => (new(text, "net8.0", "8.0.33", null), null),
        "net8.0.33" => (new(text, "net8.0", "8.0.33", null), null),
        "net8.0.30" => (new(text, "net8.0", "8.0.30", null), null),
        "net9.0" => (new(text, "net9.0", "9.0.22", null), null),
        "net10.0" => (new(text, "net10.0", "10.0.14", null), null),
        _ => (null, new("runtime", $"'{text}' is not a runtime.", NearestNames.Suggest(text, ["net8.0", "net9.0", "net10.0"]))),
    };
}
