using System.Text;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Reporting.Curves;
using PerfLab.Core.Reporting.Jit;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Tests.Schemas;

/// <summary>
/// Every format that one record describes: its schema is generated, and reader and schema are held against each other with mistakes.
/// A new format is a line here, with a text that is valid.
/// </summary>
internal static class Formats
{
    public static IReadOnlyDictionary<string, (FileFormat Format, Func<string> Example)> All { get; } = new Dictionary<string, (FileFormat, Func<string>)>
    {
        ["comparison"] = (Comparison.File, Fixture("comparison.json")),
        ["plan"] = (PlanFile.File, Plan),
        ["curves"] = (CurvesFile.File, Golden("Reporting/golden/sweep-batches.json")),
        ["jit"] = (JitFile.File, Golden("Evidence/golden/jit.json")),
        ["request"] = (RequestFile.Format, Fixture("request.json")),
        ["workload"] = (WorkloadManifest.Format, Yaml("workload.yaml")),
        ["config"] = (LabConfig.Format, Yaml("perf-lab.yaml")),
    };

    public static TheoryData<string> Names => [.. All.Keys];

    public static IReadOnlyList<string> Problems(string name, string text) => Problems(name, Encoding.UTF8.GetBytes(text));

    public static IReadOnlyList<string> Problems(string name, byte[] utf8, bool withRules = true) =>
        [.. All[name].Format.Problems(utf8, withRules).Select(problem => problem.ToString())];

    private static string Plan()
    {
        IReadOnlyDictionary<string, string> values = new Dictionary<string, string> { ["pgo"] = "on" };
        var recipe = new BuildRecipe { Workload = "echo", Folder = "/lab/echo", Kind = BuildKind.Dotnet, Project = "Echo.csproj", Properties = values };
        var plan = new RunPlan
        {
            Request = new()
            {
                Targets = ["echo"],
                Arms = [new("base", values)],
                Set = new Dictionary<string, IReadOnlyList<string>> { ["size"] = ["1", "2"] },
                Rounds = "8+20",
                PullRequest = new("owner/name", 1, 2, 3, new('a', 40), new('b', 40), "agent"),
            },
            Seed = 7,
            IsAa = false,
            Policy = new(),
            Cells =
            [
                new()
                {
                    Id = "c001",
                    Workload = "echo",
                    Mode = "steady",
                    Dimensions = values,
                    Parameters = values,
                    Launch = new(1, 2, 30),
                    Resources = new(2, 1 << 30, 64),
                    Arms = [new() { Id = "base", Dimensions = values, Recipe = recipe, Command = ["./echo"], Environment = [new("DOTNET_TieredPGO", "1")], Knobs = values }],
                    Metrics = [new("throughput", "call/s", Better.Higher, Primary: true)],
                },
            ],
            Screen = [new("c001", 0, ["base"])],
            Confirm = [new("c001", 0, ["base"])],
            Estimate = new(1, 2, 3, 4) { Cost = new("agent", 0.6, 0.1, 0.2) },
        };
        return PlanFile.File.Write(new(plan with { Hash = PlanFile.Hash(plan) }));
    }

    private static Func<string> Golden(string file) => () => Repository.Read("tests/PerfLab.Core.Tests/" + file);

    private static Func<string> Yaml(string file) => () => YamlAsJson.Parse(Fixture(file)()).ToString();

    private static Func<string> Fixture(string file) => () => Repository.Read("tests/fixtures/formats/" + file);
}
