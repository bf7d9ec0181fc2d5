using PerfLab.Building.Templates;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;

namespace PerfLab.Workload.Tests.Building;

/// <summary>
/// A workload that does its work once can't be cut into slices. Nobody who writes one has to know of turns: `run` launches it whole, and says
/// so. Real build, real launches.
/// </summary>
[Collection("PERF_LAB_KIT")] // it sets it for the process, and takes it away
public sealed class WithoutTurnsTests(Lab lab) : IDisposable
{
    private readonly string _folder = lab.NewFolder();

    [Fact]
    public async Task a_workload_that_can_not_be_cut_is_launched_one_arm_after_the_other_and_the_report_says_why()
    {
        Nightly.Only("40 seconds");
        Environment.SetEnvironmentVariable("PERF_LAB_KIT", Lab.Kit); // the same for every test of this run
        Directory.CreateDirectory(Path.Combine(_folder, "fast-parse"));
        await File.WriteAllTextAsync(Path.Combine(_folder, "perf-lab.yaml"), "schema: perf-lab/config/1\n", TestContext.Current.CancellationToken);
        foreach (var (name, text) in WorkloadTemplate.Kit.Of("fast-parse", "./fast-parse"))
        {
            await File.WriteAllTextAsync(Path.Combine(_folder, "fast-parse", name), text.Replace("launch.Repeat(", "launch.Once("),
                TestContext.Current.CancellationToken);
        }

        string[] asked = ["run", "./fast-parse", "--base", "way=concat", "--head", "way=builder", "--runtime", "net10.0"];
        var (code, output, error) = await RunAsync([.. asked, "--rounds", "0+1", "--executor", "process", "--out", "session"]);

        code.ShouldBe(ExitCode.Done, error);
        error.ShouldContain("1 cell, 0+1 rounds");
        error.ShouldContain(" in turns (30x50ms)");
        error.ShouldMatch("its arms are launched one after the other: (base|head) refused what it was asked, with exit code 2");
        output.ShouldContain("1 round, no verdict");
        var report = await File.ReadAllTextAsync(Path.Combine(_folder, "session", "report.md"), TestContext.Current.CancellationToken);
        report.ShouldMatch("- not in turns: `(base|head) refused what it was asked, with exit code 2`");
        report.ShouldNotContain("--pairing");
        var comparison = await File.ReadAllTextAsync(Path.Combine(_folder, "session", "comparison.json"), TestContext.Current.CancellationToken);
        Comparison.File.Read(comparison).Value!.Cells[0].Pairing.ShouldBe(Pairing.Launches);
        (code, output, error) = await RunAsync(["verify", "session"]);
        code.ShouldBe(ExitCode.Done, output + error);
    }

    public void Dispose() => Environment.SetEnvironmentVariable("PERF_LAB_KIT", null);

    private Task<(int Code, string Out, string Error)> RunAsync(string[] arguments) =>
        TypedCommand.RunAsync(_folder, arguments);
}
