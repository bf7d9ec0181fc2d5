using PerfLab.Building.Manifests;
using PerfLab.Building.Runtimes;
using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Runner.Flow;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>
/// What a plan takes from the package sources and the SDK. Both are played by a script; RuntimeCatalogTests hold what it stands for, and the
/// workload tests build with real sources.
/// </summary>
public sealed class PlanStepTests : IDisposable
{
    private readonly List<string> _said = [];
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("perf-lab-plan-step-");

    public PlanStepTests()
    {
        Write("perf-lab.yaml", "schema: perf-lab/config/1\nworkloads: [workloads]\n");
        Write("workloads/talk/workload.yaml", """
            schema: perf-lab/workload/1
            name: talk
            summary: for tests
            build: { kind: dotnet, project: Talk.csproj, runtimes: [net8.0, net10.0, net99.0] }
            command: ["./Talk"]
            frameworks:
              akka: { property: AkkaVersion, packages: [Akka], from: "1.4.0" }
              orleans: { property: OrleansVersion, packages: [Orleans], from: "7.0.0" }
            metrics: { throughput: { unit: call/s, better: higher, primary: true } }
            launch: { warm-up: 0s, measure: 1s, timeout: 10s }

            """);
        Write("dotnet", """
            #!/bin/sh
            [ "$1" = --version ] && { echo 10.0.401; exit; }
            [ "$1 $2 $4 $5 $6 $7" = 'package search --exact-match --prerelease --format json' ] || exit 7
            echo "$3" >>"$(dirname "$0")/asked"
            case $3 in
              Microsoft.NETCore.*) versions='8.0.34 10.0.15 11.0.0' ;;
              Akka) versions='1.5.73 1.5.74' ;;
              Orleans) versions='10.4.1 10.4.2' ;;
            esac
            for version in $versions; do packages="$packages${packages:+,}{\"version\":\"$version\"}"; done
            echo "{\"searchResult\":[{\"sourceName\":\"the-feed\",\"packages\":[$packages]}]}"

            """);
        Executable.Make(At("dotnet"));
    }

    [Fact]
    public void the_newest_version_and_patch_are_planned_and_only_what_is_in_question_is_asked_for()
    {
        var recipe = Plan().Cells.Single().Arms[0].Recipe;
        (recipe.Properties["AkkaVersion"], recipe.RuntimePatch, recipe.TargetFramework).ShouldBe(("1.5.74", "10.0.15", "net10.0"));
        File.ReadAllLines(At("asked")).ShouldNotContain("Orleans");
    }

    [Fact]
    public void a_framework_that_is_named_is_asked_for() =>
        Plan(("framework", "orleans@10.4")).Cells.Single().Arms[0].Recipe.Properties["OrleansVersion"].ShouldBe("10.4.2");

    [Fact]
    public void a_star_of_runtimes_means_those_that_the_sdk_can_compile_and_the_newer_ones_of_the_source() =>
        Plan(("runtime", "*")).Cells.Select(cell => (cell.Arms[0].Recipe.RuntimePatch, cell.Arms[0].Recipe.TargetFramework))
            .ShouldBe([("8.0.34", "net8.0"), ("10.0.15", "net10.0"), ("11.0.0", "net10.0")]);

    [Theory]
    [InlineData("net8.0")]
    [InlineData("net8.0, net99.0")]
    public void a_program_for_an_older_target_runs_on_net11_and_is_compiled_for_what_it_has(string targets)
    {
        var file = At("workloads/talk/workload.yaml");
        File.WriteAllText(file, File.ReadAllText(file).Replace("net8.0, net10.0, net99.0", targets, StringComparison.Ordinal));
        var recipe = Plan(("runtime", "net11.0")).Cells.Single().Arms[0].Recipe;
        (recipe.RuntimePatch, recipe.TargetFramework).ShouldBe(("11.0.0", "net8.0"));
    }

    [Theory]
    [InlineData("akka@9", "no release of akka begins with 9. There is: 1.5.74, 1.5.73.")]
    [InlineData("akka@9.0.0-x;y", "'9.0.0-x;y' is not a package version. akka@latest is the newest, akka@1.2 the newest that begins so. There is: 1.5.74, 1.5.73.")]
    public void a_version_that_is_none_is_refused_before_anything_is_built(string framework, string why) =>
        Should.Throw<WrongUseException>(() => Plan(("framework", framework))).Message.ShouldContain(why);

    [Theory]
    [InlineData("akka@1.5.999", "akka@1.5.999: no package source lists Akka 1.5.999 (from 1.4.0 on: 1.5.74, 1.5.73); the build will tell")]
    [InlineData("akka@1.5.73", null)]
    [InlineData("akka", null)]
    public void a_version_that_no_source_lists_is_told_before_the_build_and_planned(string framework, string? expected)
    {
        Plan(("framework", framework)).Cells.Count.ShouldBe(1);
        _said.ShouldBe(expected is null ? [] : [expected]);
    }

    [Fact]
    public void a_program_for_a_runtime_that_the_sdk_can_not_compile_is_refused_with_what_to_do()
    {
        var file = At("workloads/talk/workload.yaml");
        File.WriteAllText(file, File.ReadAllText(file).Replace("net8.0, net10.0, net99.0", "net99.0", StringComparison.Ordinal));
        Should.Throw<WrongUseException>(() => Plan()).Message.ShouldContain("Install the .NET 99 SDK");
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private RunPlan Plan(params (string Dimension, string Value)[] set)
    {
        var problems = new List<Problem>();
        var config = LabConfig.Read(_folder.FullName, problems);
        problems.ShouldBeEmpty();
        var catalog = new RuntimeCatalog(At("store"), new DotnetCli(At("dotnet"))) { Packages = At("packages"), Say = _said.Add };
        return new PlanStep(config!, catalog).Make(
            new BenchmarkRequest
            {
                Targets = ["talk"],
                Arms = [new("head", new Dictionary<string, string>())],
                Set = set.ToDictionary(pair => pair.Dimension, pair => (IReadOnlyList<string>)[pair.Value]),
                Seed = 1,
            }, [], isCompared: false);
    }

    private string At(string path) => Path.Combine(_folder.FullName, path);

    private void Write(string path, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(At(path))!);
        File.WriteAllText(At(path), text);
    }
}
