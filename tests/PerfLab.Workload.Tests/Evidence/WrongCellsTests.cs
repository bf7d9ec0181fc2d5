using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Workload.Tests.Evidence;

/// <summary>Cells that are wrong on purpose, with real runtimes: they are refused, and the row says why.</summary>
public class WrongCellsTests(Lab lab)
{
    [Theory]
    [InlineData("unset-variable", "net10.0", "off", "planned TieredPGO=0, runtime reports 1 (settings event flags 15); the process had no such variable")]
    [NightlyData("unset-variable", "net8.0", "off", "planned TieredPGO=0, runtime reports 1 (settings event flags 15); the process had no such variable")]
    [NightlyData("word-for-a-number", "net10.0", "off", "planned TieredPGO=0, runtime reports 1 (settings event flags 15); the process had the variable as 'off'")]
    [NightlyData("runtimeconfig-decides", "net10.0", "on", "planned TieredPGO=1, runtime reports 0 (settings event flags 11); the process had no such variable")]
    public async Task a_launch_that_did_not_run_as_planned_is_refused_and_its_cell_failed(string cell, string release, string pgo, string reason)
    {
        var samples = await RealCells.RunAsync(lab, Folder(cell), release, ("pgo", pgo));
        var launch = samples.Launches.Single();
        (launch.Outcome, launch.Reason).ShouldBe((Outcome.Refused, reason));
        launch.Metrics.ShouldBeEmpty();
        launch.Evidence["proof"]!["settings"]!["TieredPGO"]!["planned"]!.GetValue<string>().ShouldBe(pgo == "on" ? "1" : "0");
        var row = Comparer.Compare(samples, new(new(), "test")).Cells.Single(one => one.Primary);
        row.Verdict.ShouldBe(Verdict.Failed);
        row.Warnings.ShouldContain(warning => warning.Contains(reason, StringComparison.Ordinal));
    }

    [Fact]
    public async Task a_runtimeconfig_alone_changes_nothing_because_the_variable_wins()
    {
        Nightly.Only("20 seconds");
        var launch = (await RealCells.RunAsync(lab, Folder("runtimeconfig-loses"), "net10.0", ("pgo", "on"))).Launches.Single();
        launch.Outcome.ShouldBe(Outcome.Measured, launch.Reason);
        launch.Evidence["proof"]!["rundown"]!["flags"]!.GetValue<int>().ShouldBe(15);
    }

    private static string Folder(string cell) => Path.Combine(Lab.Fixture("wrong-cells"), cell);
}
