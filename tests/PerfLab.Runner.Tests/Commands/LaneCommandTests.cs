using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Launching.Processes;
using PerfLab.Machine.Facts;
using PerfLab.Machine.SelfTests;
using PerfLab.Machine.Watching;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Flow.Lanes;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Terminals;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>Two shards at once on two cores of this machine, as if doctor had shown that they do not disturb each other.</summary>
[Collection("sessions")]
public sealed class LaneCommandTests : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task two_lanes_measure_two_shards_at_once_on_cores_of_their_own()
    {
        Assert.SkipUnless(Environment.GetEnvironmentVariable("PERF_LAB_TEST_ALL") == "1", "./perf-lab test --all runs it: it takes some seconds");
        var token = TestContext.Current.CancellationToken;
        var cores = LaneCores.Of(kept: null) is var own ? own.Lanes.Concat(own.Lab).Order().ToList() : [];
        Assert.SkipWhen(cores.Count < 2, "this machine gives one core only");
        var (code, planned, error) = await _lab.RunAsync("plan behaving --base time=100 --head time=105 --set size=1,2 --rounds 0+13 --shards 2", token);
        code.ShouldBe(0, error);
        var file = Path.Combine(_lab.Root, "plan.json");
        await File.WriteAllTextAsync(file, planned, token);
        (await _lab.RunAsync("build plan.json --executor process --out builds.json", token)).Code.ShouldBe(0);
        var refused = await _lab.RunAsync("measure plan.json --lanes 2 --out both --executor process", token);
        refused.Code.ShouldBe(1);
        refused.Error.ShouldContain("nobody has measured whether programs on disjoint cores disturb each other here");

        using var said = new StringWriter();
        var terminal = new Terminal
        {
            Out = said,
            Error = TextWriter.Synchronized(said),
            Root = _lab.Root,
            WorkingFolder = _lab.Root,
            MachineLock = _lab.MachineLock,
        };
        var lab = Lab.Open(terminal);
        var inspection = new MachineInspection { Time = terminal.Clock, Store = lab.Config.Store };
        var (facts, _, _, _) = await inspection.RunAsync(HygienePolicy.Any, null, token);
        var lanes = new LaneCores([.. cores.TakeLast(2)], [cores[0]]);
        new LaneRecord(LaneRecord.MachineOf(facts), "t", CpuList.Format([.. lanes.Lanes]), CpuList.Format([.. lanes.Lab]),
            [new(2, "memory", cores[0], 1, 1, 0, 0, LaneTest.Pairs)]).Write(lab.Config.Store);
        var plan = PlanStep.Read(file);
        await using var launcher = ProcessLauncher.Create();
        var step = new LaneStep(lab, launcher, HygienePolicy.Any, new Patience(terminal, TimeSpan.Zero)) { CoresOf = _ => lanes };
        var journals = await step.RunAsync(plan, BuildsFile.Read(Path.Combine(_lab.Root, "builds.json"), plan), 2, Path.Combine(_lab.Root, "both"), token);

        var shards = journals.Select(path => JournalReader.Read(File.ReadAllBytes(path)).Samples.ShouldNotBeNull()).ToList();
        shards.Select(shard => shard.Header.Shard).ShouldBe([1, 2]);
        shards.ShouldAllBe(shard => shard.Complete && shard.Launches.Count == 26);
        shards.Select(shard => shard.Header.Machine["lane"]!["cpus"]!.GetValue<string>()).ShouldBe(lanes.Lanes.Select(core => $"{core}"), ignoreOrder: true);
        foreach (var shard in shards)
        {
            var core = shard.Header.Machine["lane"]!["cpus"]!.GetValue<string>();
            shard.Launches.ShouldAllBe(launch => launch.Evidence["outside"]!["cpus"]!.GetValue<string>() == core);
        }

        shards[0].Launches[0].Started.ShouldBeLessThan(shards[1].Launches[^1].Started, "both begin before one of them ends");
        shards[1].Launches[0].Started.ShouldBeLessThan(shards[0].Launches[^1].Started, "both begin before one of them ends");
        var (compared, answer, why) = await _lab.RunAsync("compare both/shard-1/samples.ndjson both/shard-2/samples.ndjson --plan plan.json", token);
        compared.ShouldBe(0, why + answer);
        answer.ShouldContain("lane 1 of 2");
    }
}
