using System.Text.Json.Nodes;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;

namespace PerfLab.Runner.Tests.Machine;

public sealed class SelfTestHistoryTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");

    public void Dispose() => folder.Delete(recursive: true);

    private SelfTestHistory History => new(Path.Combine(folder.FullName, "machine", "self-tests.ndjson"));

    [Fact]
    public void three_runs_of_the_same_machine_are_a_history_and_their_median_is_usual()
    {
        foreach (var factor in new[] { 1.0, 3.0, 1.1 })
        {
            History.Usual("a").Medians.ShouldBeNull();
            History.Add("a", FakeFigures.Of(factor), DateTimeOffset.UnixEpoch);
            History.Add("b", FakeFigures.Of(9), DateTimeOffset.UnixEpoch);
        }

        var (usual, runs) = History.Usual("a");
        runs.ShouldBe(3);
        usual!["arithmetic"].ShouldBe(0.022, 1e-12);
        FakeFigures.Of(1.11).Off(usual).ShouldBeNull();
        FakeFigures.Of(1.15).Off(usual).ShouldBe("the self-test was off its usual time: arithmetic +4.5 %, memory +4.5 %, systemCalls +4.5 %");
        FakeFigures.Of(1.0).Off(usual)!.ShouldContain("-9.1 %");
    }

    [Fact]
    public void runs_of_another_build_or_other_work_are_no_history()
    {
        var facts = new JsonObject { ["kernel"] = "6.8.0" };
        string[] works = [SelfTestWork.Of(1, isOptimised: true), SelfTestWork.Of(1, isOptimised: false), SelfTestWork.Of(2, isOptimised: true)];
        foreach (var (work, factor) in works.Zip([1.0, 9.0, 5.0]))
        {
            for (var run = 0; run < SelfTestHistory.Least; run++)
            {
                History.Add(SelfTestHistory.Key(facts, work), FakeFigures.Of(factor), DateTimeOffset.UnixEpoch);
            }
        }

        works.Select(work => History.Usual(SelfTestHistory.Key(facts, work)).Runs).ShouldBe([3, 3, 3]);
        works.Select(work => Math.Round(History.Usual(SelfTestHistory.Key(facts, work)).Medians!["arithmetic"] / FakeFigures.Of().Medians["arithmetic"], 6)).ShouldBe([1, 9, 5]);
        SelfTestHistory.Key(facts).ShouldBeOneOf([.. works.Take(2).Select(work => SelfTestHistory.Key(facts, work))]);
    }

    [Fact]
    public void a_damaged_history_is_a_short_one()
    {
        for (var i = 0; i < 3; i++)
        {
            History.Add("a", FakeFigures.Of(), DateTimeOffset.UnixEpoch);
        }

        var file = Path.Combine(folder.FullName, "machine", "self-tests.ndjson");
        File.AppendAllText(file, "nonsense\n{\"key\":3}\n{\"key\":\"a\",\"medians\":{\"arithmetic\":-1,\"memory\":\"x\"}}\n[]\n{\"key\":\"a\"");
        History.Usual("a").Medians.ShouldNotBeNull().Keys.ShouldBeSubsetOf(["arithmetic", "memory", "systemCalls"]);
    }

    [Fact]
    public void a_history_that_can_not_be_written_stops_nobody()
    {
        File.WriteAllText(Path.Combine(folder.FullName, "machine"), "a file in the place of the folder");

        Should.NotThrow(() => History.Add("a", FakeFigures.Of(), DateTimeOffset.UnixEpoch));
        History.Usual("a").ShouldBe((null, 0));
    }

    [Fact]
    public void the_row_says_how_far_the_machine_is_from_what_it_was()
    {
        var usual = FakeFigures.Of().Medians;
        var facts = new JsonObject { ["selfTest"] = FakeFigures.Of(1.03).ToJson(usual, 14) };

        var finding = HygieneJudge.Judge(facts, HygienePolicy.Any).First(finding => finding.Row == 33);
        (finding.Severity, finding.Value).ShouldBe((HygieneSeverity.Warn, "20.60 ms, spread 0.0 %, slowest 0.0 % over the fastest, +3.0 % against 14 earlier runs"));
    }
}
