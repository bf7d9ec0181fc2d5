using PerfLab.Building.Runtimes;
using PerfLab.Building.Tools;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Launching;
using PerfLab.Launching.Processes;
using PerfLab.Launching.Proof;

namespace PerfLab.Workload.Tests.Benchmarks;

/// <summary>
/// The driver with the newest BenchmarkDotNet that the package sources have, so that the next one is tried when it is there.
/// </summary>
public sealed class NewestBenchmarkDotNetTests(Lab lab)
{
    private static readonly string Project = Path.Combine(Lab.Fixture("benchmarks"), "Some.Benchmarks", "Some.Benchmarks.csproj");

    [Theory]
    [InlineData("Some.Benchmarks.Parsing.ParseNumbers(Count: 10)")]
    [InlineData("Some.Benchmarks.Ages.Hops")] // async
    [InlineData("Some.Benchmarks.OneCall.Sort")] // Monitoring, with a setup for each iteration
    public async Task its_pilot_finds_how_much_to_do_and_a_launch_does_it(string name)
    {
        Assert.SkipUnless(Nightly.IsAsked, "a build with another BenchmarkDotNet: test --all");
        var newest = new RuntimeCatalog(lab.NewFolder(), new DotnetCli()).VersionsOf("BenchmarkDotNet")
            .FirstOrDefault(version => !VersionOrder.IsPreview(version));
        Assert.SkipWhen(newest is null, "no package source can say what there is of BenchmarkDotNet");
        var (cell, launches) = await PlannedBenchmark.MakeAsync(lab, Project, name, $"BenchmarkDotNet@{newest}");
        await using var launcher = ProcessLauncher.Create();
        var pilots = new PilotLaunches(launches, launcher);
        if (await pilots.FailureAsync(cell, TestContext.Current.CancellationToken) is var (failed, how))
        {
            Assert.Fail($"{failed.Reason} {how.Tail}");
        }

        var nonce = LaunchEnvironment.NewNonce();
        var run = pilots.Of(cell).ShouldNotBeNull() with { Iterations = 3 };
        var end = await launcher.LaunchAsync(launches.Of(cell, cell.Arms[0], nonce, 100, run: run), TestContext.Current.CancellationToken);
        var judged = LaunchJudge.Judge(new(cell, cell.Arms[0], nonce), end);

        judged.Outcome.ShouldBe(Outcome.Measured, $"{judged.Reason} {end.Tail}");
        judged.Metrics[BenchmarkCases.Time].ShouldBeGreaterThan(0);
        judged.Evidence["benchmarkDotNet"]!["version"]!.GetValue<string>().ShouldStartWith(newest);
    }
}
