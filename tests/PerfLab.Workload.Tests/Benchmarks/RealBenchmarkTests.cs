using PerfLab.Building;
using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Processes;
using PerfLab.Launching.Proof;
using PerfLab.Launching.Results;

namespace PerfLab.Workload.Tests.Benchmarks;

/// <summary>A project of BenchmarkDotNet 0.14.0 as people have them, built and launched for real. One build serves all tests.</summary>
public sealed class RealBenchmarkTests(Lab lab)
{
    private static readonly string Project = Path.Combine(Lab.Fixture("benchmarks"), "Some.Benchmarks", "Some.Benchmarks.csproj");

    [Fact]
    public async Task its_benchmarks_are_listed_once_and_what_can_not_be_listed_is_told()
    {
        var (cell, launches) = await PlannedAsync("any");
        var spec = launches.Of(cell, cell.Arms[0], "n", 0);
        await using var launcher = ProcessLauncher.Create();
        var (list, why) = BenchmarkList.Read(await launcher.LaunchAsync(spec with { Command = [.. spec.Command, "list"] }, CancellationToken.None));

        why.ShouldBeNull();
        list!.Benchmarks.Select(benchmark => benchmark.Name).ShouldBe(
            [
                "Some.Benchmarks.Parsing.ParseNumbers(Count: 10)", "Some.Benchmarks.Parsing.ParseNumbers(Count: 100)",
                "Some.Benchmarks.Parsing.Replace(text: \"a, b\", with: 'x', Count: 10)", "Some.Benchmarks.Parsing.Replace(text: \"a, b\", with: 'x', Count: 100)",
                "Some.Benchmarks.Odd.Throws", "Some.Benchmarks.Odd.Hangs", "Some.Benchmarks.Odd.ReadsFile", "Some.Benchmarks.Odd.Sleeps",
                "Some.Benchmarks.Ages.Flat", "Some.Benchmarks.Ages.Hops", "Some.Benchmarks.Ages.Json", "Some.Benchmarks.Ages.Long", "Some.Benchmarks.Ages.Longest",
                "Some.Benchmarks.Ages.Shortest", "Some.Benchmarks.Ages.CompilesForEver",
                "Some.Benchmarks.Ages.CompilesAgain", "Some.Benchmarks.Ages.Leaks", "Some.Benchmarks.Cold.Calls", "Some.Benchmarks.Unwarmed.Sleeps",
                "Some.Benchmarks.Prepared.Call", "Some.Benchmarks.Counted.Call",
                "Some.Benchmarks.OneCall.Sort", "Some.Benchmarks.LongSetup.Sleeps", "Some.Benchmarks.Configured.SortsByCulture", "Some.Benchmarks.Lists<Int32>.Make", "Some.Benchmarks.Lists<String>.Make",
            ],
            ignoreOrder: true);
        list.Benchmarks.Single(benchmark => benchmark.Name.EndsWith("ParseNumbers(Count: 10)", StringComparison.Ordinal)).Categories.ShouldBe(["text"]);
        list.Problems.ShouldContain(problem => problem.Contains("two benchmarks are called Some.Benchmarks.Alike.Hash(Value: a thing)"));
        list.Problems.ShouldContain(problem => problem.Contains("Some.Benchmarks.FromFile: FileNotFoundException"));
    }

    [Theory]
    [InlineData("Some.Benchmarks.Parsing.Replace(text: \"a, b\", with: 'x', Count: 10)", "net10.0")] // jobs of other runtimes, a profiler, arguments
    [InlineData("Some.Benchmarks.OneCall.Sort", "net10.0")] // Monitoring, with a setup for each iteration
    [NightlyData("Some.Benchmarks.Lists<String>.Make", "net10.0")]
    [NightlyData("Some.Benchmarks.OneCall.Sort", "net11.0")]
    public async Task the_pilot_finds_how_much_to_do_and_a_launch_does_it(string name, string release)
    {
        var (cell, launches) = await PlannedAsync(name, release);
        await using var launcher = ProcessLauncher.Create();
        var pilots = new PilotLaunches(launches, launcher);
        if (await pilots.FailureAsync(cell, CancellationToken.None) is var (failed, how))
        {
            Assert.Fail($"{failed.Reason} {how.Tail}");
        }

        var run = pilots.Of(cell).ShouldNotBeNull();
        run.Operations.ShouldBe(name.Contains("Sort") ? 1 : run.Operations);
        var nonce = LaunchEnvironment.NewNonce();
        var end = await launcher.LaunchAsync(launches.Of(cell, cell.Arms[0], nonce, 100, run: run with { Iterations = 3 }), CancellationToken.None);
        var judged = LaunchJudge.Judge(new(cell, cell.Arms[0], nonce), end);

        judged.Outcome.ShouldBe(Outcome.Measured, $"{judged.Reason} {end.Tail}");
        judged.Metrics[BenchmarkCases.Time].ShouldBeGreaterThan(0);
        judged.Metrics[BenchmarkCases.Allocated].ShouldBe(name.Contains("Replace") ? 32 : judged.Metrics[BenchmarkCases.Allocated]);
        judged.Evidence["benchmarkDotNet"]!["version"]!.GetValue<string>().ShouldStartWith("0.14.0");
        judged.Evidence["framework"]!.GetValue<string>().ShouldBe(".NET " + lab.PatchHere(release));
        judged.Evidence["proof"]!["settings"]!["TieredPGO"].ShouldNotBeNull();
        end.Tail.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("Some.Benchmarks.Odd.Throws", "the table is not there")]
    [NightlyData("Some.Benchmarks.Odd.ReadsFile", "Could not find file")]
    [InlineData("Some.Benchmarks.Odd.Gone", "there is no benchmark Some.Benchmarks.Odd.Gone in this build.")]
    public async Task one_that_can_not_run_says_why(string name, string expected)
    {
        var (cell, launches) = await PlannedAsync(name);
        await using var launcher = ProcessLauncher.Create();
        var (judged, end) = (await new PilotLaunches(launches, launcher).FailureAsync(cell, CancellationToken.None)).ShouldNotBeNull();
        judged.Outcome.ShouldBe(Outcome.Failed);
        end.Tail.ShouldContain(expected);
        BenchmarkTail.Of(end.Tail).ShouldNotContain("lscpu", customMessage: "what BenchmarkDotNet looked for in vain is not what is wrong");
    }

    [Fact]
    public async Task a_launch_is_configured_as_its_project_says_but_for_what_the_lab_varies_and_that_is_said()
    {
        var (cell, launches) = await PlannedAsync("Some.Benchmarks.Configured.SortsByCulture");
        await using var launcher = ProcessLauncher.Create();
        var nonce = LaunchEnvironment.NewNonce();
        var end = await launcher.LaunchAsync(launches.Of(cell, cell.Arms[0], nonce, 100, run: new(16, 1, 3)), CancellationToken.None);
        var judged = LaunchJudge.Judge(new(cell, cell.Arms[0], nonce), end);
        judged.Outcome.ShouldBe(Outcome.Measured, $"{judged.Reason} {end.Tail}"); // it throws without its switch, and without cultures
        judged.Evidence["gcServer"]!.GetValue<bool>().ShouldBeFalse();

        var build = await lab.BuiltAsync(cell.Arms[0].Recipe);
        var builds = new ArmBuilds(new Dictionary<(string, string), BuildResult> { [(cell.Id, "head")] = new(build, null, null) });
        builds.Overruled([cell]).ShouldHaveSingleItem().ShouldContain("System.GC.Server=true");

        // Each build says its own, whichever was asked first.
        var (agrees, other) = (cell with { Id = "agrees" }, lab.NewFolder());
        var file = Path.GetFileName(cell.Arms[0].Command[0]) + ".runtimeconfig.json";
        await File.WriteAllTextAsync(Path.Combine(other, file), (await File.ReadAllTextAsync(Path.Combine(build.Folder, file)))
            .Replace("\"System.GC.Server\": true", "\"System.GC.Server\": false", StringComparison.Ordinal));
        builds = new ArmBuilds(new Dictionary<(string, string), BuildResult>
        {
            [(cell.Id, "head")] = new(build, null, null),
            [(agrees.Id, "head")] = new(build with { Identity = "sha256:" + new string('0', 64), Folder = other }, null, null),
        });
        builds.Overruled([cell]).ShouldHaveSingleItem();
        builds.Overruled([agrees]).ShouldBeEmpty();
    }

    [Fact]
    public async Task a_long_setup_is_paid_by_the_launch_and_not_by_the_benchmark()
    {
        var (cell, launches) = await PlannedAsync("Some.Benchmarks.LongSetup.Sleeps");
        await using var launcher = ProcessLauncher.Create();
        var nonce = LaunchEnvironment.NewNonce();
        var end = await launcher.LaunchAsync(launches.Of(cell, cell.Arms[0], nonce, 100, run: new(4, 1, 3)), CancellationToken.None);
        var judged = LaunchJudge.Judge(new(cell, cell.Arms[0], nonce), end);
        judged.Outcome.ShouldBe(Outcome.Measured, $"{judged.Reason} {end.Tail}");
        end.WallSeconds.ShouldBeGreaterThan(1);
        judged.Metrics[BenchmarkCases.Time].ShouldBeInRange(0.001, 0.25); // 7 ms are four operations
    }

    [Theory]
    [InlineData("Some.Benchmarks.Odd.Hangs", 3)]
    [NightlyData("Some.Benchmarks.LongSetup.Sleeps", 0.9)]
    public async Task one_that_hangs_or_sets_up_for_too_long_is_killed_when_its_time_is_over(string name, double seconds)
    {
        var (cell, launches) = await PlannedAsync(name);
        await using var launcher = ProcessLauncher.Create();
        var hanging = cell with { Launch = cell.Launch with { TimeoutSeconds = seconds } };
        var (judged, _) = (await new PilotLaunches(launches, launcher).FailureAsync(hanging, CancellationToken.None)).ShouldNotBeNull();
        judged.Outcome.ShouldBe(Outcome.TimedOut);
    }

    [Fact]
    public async Task a_project_without_benchmarkdotnet_is_told_so()
    {
        Nightly.Only("10 seconds"); // BuildFailureTests has the compiler's words
        var recipe = new BuildRecipe
        {
            Workload = "library-user",
            Folder = Lab.Fixture("hello"),
            Kind = BuildKind.Dotnet,
            Project = Path.GetFileName(Directory.GetFiles(Lab.Fixture("hello"), "*.csproj").Single()),
            TargetFramework = "net10.0",
            RuntimePatch = Lab.PatchOf("net10.0"),
            IsBenchmarkDotNet = true,
        };
        var result = await lab.Builder.BuildAsync(recipe, CancellationToken.None);
        result.Failure.ShouldNotBeNull().ShouldContain("brings no BenchmarkDotNet along");
    }

    [Fact]
    public async Task target_frameworks_are_asked_of_msbuild()
    {
        var problems = new List<Problem>();
        var workload = await BenchmarkProject.ReadAsync(Project, new DotnetCli(), problems, CancellationToken.None);
        problems.ShouldBeEmpty();
        workload!.Build.Runtimes.ShouldBe(["net8.0", "net10.0", "net11.0"]);
        (await BenchmarkProject.ReadAsync("/nowhere/A.csproj", new DotnetCli(), problems, CancellationToken.None)).ShouldBeNull();
        problems.ShouldHaveSingleItem().What.ShouldBe("there is no such project file.");
    }

    private Task<(PlannedCell Cell, LaunchSpecs Launches)> PlannedAsync(string name, string release = "net10.0") =>
        PlannedBenchmark.MakeAsync(lab, Project, name, release: release);
}
