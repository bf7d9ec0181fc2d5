using System.Text;
using PerfLab.Core.Journal;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Runner.Tests.Manifests;

/// <summary>
/// Files as the version of 24 November 2026 (3077c27) wrote or took them. They are never changed: what people have on their disks does
/// not change either. A version that can't read one must say which version can.
/// </summary>
public sealed class EarlierFilesTests : IDisposable
{
    private readonly YamlFiles _files = new();

    public void Dispose() => _files.Dispose();

    [Fact]
    public void a_journal_of_an_earlier_version_is_read()
    {
        var contents = JournalReader.Read(Encoding.UTF8.GetBytes(Earlier("samples.ndjson")));

        contents.Damage.ShouldBeNull();
        var samples = contents.Samples!;
        samples.Complete.ShouldBeTrue();
        samples.Launches.ShouldHaveSingleItem().Metrics["throughput"].ShouldBe(51234.5);
        samples.Voids.ShouldHaveSingleItem().Reason.ShouldBe("clock step of 0.4 s");
        contents.BootIds.ShouldBe(["0b6a3c1e"]);
    }

    [Fact]
    public void a_plan_of_an_earlier_version_is_read_with_the_hash_that_it_had()
    {
        var reading = PlanFile.File.Read(Earlier("plan.json"));

        reading.Problems.ShouldBeEmpty();
        var plan = reading.Value!.Plan;
        PlanFile.Hash(plan).ShouldBe("sha256:686f315acc9bba1dcc54d1cc1cf4acf0f9e5816759bf33e017b18fcabf517c1b");
        (plan.Cells.Count, plan.Screen.Count, plan.Confirm.Count).ShouldBe((1, 6, 13));
    }

    [Fact]
    public void a_workload_of_an_earlier_version_keeps_the_versions_that_it_lists()
    {
        var (workload, problems) = _files.ReadWorkload(Earlier("workload.yaml"));

        problems.ShouldBeEmpty();
        var framework = workload!.Frameworks[0];
        framework.Versions.ShouldBe(["12.0.3", "13.0.3"]);
        framework.Default.ShouldBe("13.0.3");
    }

    [Fact]
    public void a_configuration_of_an_earlier_version_is_read()
    {
        var (config, problems) = _files.ReadConfig(Earlier("perf-lab.yaml"));

        problems.ShouldBeEmpty();
        config!.Suites.Select(suite => suite.Name).ShouldBe(["quick", "pr", "weekly"]);
        config.Machines.Select(machine => machine.Name).ShouldBe(["azure-d4s", "ryzen", "hosted"]);
        config.Policy.ConfirmRounds.ShouldBe(20);
    }

    private static string Earlier(string file) => Repository.Read("tests/fixtures/earlier/" + file);
}
