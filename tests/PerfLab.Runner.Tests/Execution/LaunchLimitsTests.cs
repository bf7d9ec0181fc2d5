using System.Text.Json.Nodes;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Proof;

namespace PerfLab.Runner.Tests.Execution;

/// <summary>`cpus=` and `memory=` from the plan to the launch: what is refused before it, what it gets, and how its end is told.</summary>
public sealed class LaunchLimitsTests : IDisposable
{
    private readonly SessionFixture _session = new((0, 13));

    public void Dispose() => _session.Dispose();

    [Fact]
    public void a_launch_gets_the_limits_of_its_arm_and_the_last_cores_of_those_kept_for_workloads()
    {
        var cell = Limited(new(3, 96 << 20)).Cells[0];
        var specs = new LaunchSpecs("test", new ArmBuilds(_session.Builds), "2-5");
        specs.Of(cell, cell.Arms[0], "n", 0).Cpus.ShouldBe("5");
        var head = specs.Of(cell, cell.Arms[1], "n", 0);
        head.Cpus.ShouldBe("3-5");
        head.Resources.ShouldBe(new Resources(3, 96 << 20, cell.Resources.Pids));
    }

    [Fact]
    public void more_cores_than_there_are_is_refused_with_how_many_there_are()
    {
        Problems(new(3, null), new(Cores: 2)).ShouldHaveSingleItem()
            .ShouldBe("cpus: 3 is more than launches can have here: 2 cores. At most 2.");
        Problems(new(2, null), new(Cores: 2)).ShouldBeEmpty();
        Problems(new(2, null), new()).ShouldBeEmpty();
    }

    [Fact]
    public void every_node_of_a_launch_has_its_own_cores()
    {
        var plan = Limited(new(2, null));
        var arms = plan.Cells[0].Arms.Select(arm => arm with { Nodes = [new("a-0", "a"), new("b-0", "b")] });
        var nodes = plan with { Cells = [plan.Cells[0] with { Arms = [.. arms] }] };
        LimitProblems.Of(nodes, new(Cores: 3)).ShouldHaveSingleItem().ToString()
            .ShouldBe("cpus: 2 for each of 2 nodes is more than launches can have here: 3 cores. At most 1.");
        LimitProblems.Of(nodes, new(Cores: 4)).ShouldBeEmpty();
    }

    [Fact]
    public void more_memory_than_the_machine_has_is_refused() =>
        Problems(new(null, 2L << 30), new(AllBytes: 1L << 30)).ShouldHaveSingleItem()
            .ShouldBe("memory: 2GiB is more than this machine has: 1GiB. A limit that can't be reached limits nothing.");

    [Fact]
    public void where_no_cgroup_can_be_made_memory_is_refused_and_told_what_to_do()
    {
        LimitProblems.WithoutMemoryLimit(Limited(new(null, 256 << 20))).ShouldHaveSingleItem().ToString()
            .ShouldStartWith("memory: nothing holds a process to 256MiB here: no memory cgroup can be made");
        LimitProblems.WithoutMemoryLimit(Limited(new(1, null))).ShouldBeEmpty();
    }

    [Fact]
    public void launches_of_one_round_may_differ_in_cores_only_where_their_arms_do()
    {
        var one = Launch("""{"processors":1,"outside":{"cpus":"1"}}""");
        var two = Launch("""{"processors":2,"outside":{"cpus":"0-1"}}""");
        EqualConditions.Difference(_session.Plan.Cells[0], one, two).ShouldNotBeNull().ShouldContain("processors");
        EqualConditions.Difference(Limited(new(1, null)).Cells[0], one, two).ShouldBeNull();
        EqualConditions.Difference(Limited(new(null, 96 << 20)).Cells[0], one, two).ShouldNotBeNull();
    }

    [Theory]
    [InlineData("""{"outside":{"coreLimit":"1"}}""", """{"outside":{"coreLimit":"2"}}""", true, false)]
    [InlineData("""{"outside":{"memoryLimit":"1"}}""", """{"outside":{"memoryLimit":"2"}}""", false, true)]
    [InlineData("""{"outside":{"inside":{"cpus":"0","seccomp":"2"}}}""", """{"outside":{"inside":{"cpus":"0-1","seccomp":"2"}}}""", true, false)]
    [InlineData("""{"outside":{"inside":{"cpus":"0","seccomp":"2"}}}""", """{"outside":{"inside":{"cpus":"0-1","seccomp":"0"}}}""", false, false)]
    [InlineData("""{"outside":{"container":"a"}}""", """{"outside":{"container":"b"}}""", false, false)]
    public void one_limit_excuses_itself_alone(string mine, string theirs, bool isCpus, bool isMemory)
    {
        var (one, two) = (Launch(mine), Launch(theirs));
        EqualConditions.Difference(_session.Plan.Cells[0], one, two).ShouldNotBeNull();
        (EqualConditions.Difference(Limited(new(1, null)).Cells[0], one, two) is null).ShouldBe(isCpus);
        (EqualConditions.Difference(Limited(new(null, 96 << 20)).Cells[0], one, two) is null).ShouldBe(isMemory);
    }

    [Fact]
    public void a_parameter_of_the_workload_that_is_called_cpus_excuses_nothing()
    {
        var cell = _session.Plan.Cells[0];
        var named = cell with
        {
            Arms = [.. cell.Arms.Select(arm => arm with { Dimensions = new Dictionary<string, string> { ["cpus"] = arm.Id } })],
        };
        EqualConditions.Difference(named, Launch("""{"processors":1}"""), Launch("""{"processors":2}""")).ShouldNotBeNull();
    }

    [Theory]
    [InlineData(EndKind.OutOfMemory, "", "limit 96 MiB: memory=96MiB is less than the program and its runtime need; name more")]
    [InlineData(EndKind.Exited, "GC heap initialization failed with error 0x8007000E\nFailed to create CoreCLR",
        "the runtime could not start in memory=96MiB; name more")]
    [InlineData(EndKind.Exited, "Unhandled exception", null)]
    public void a_launch_that_dies_of_its_limit_says_which(EndKind how, string tail, string? reason)
    {
        var cell = Limited(new(null, 96 << 20)).Cells[0];
        var end = new LaunchEnd { How = how, ExitCode = 137, WallSeconds = 1, Tail = tail, ResultFile = "/nowhere/result.json" };
        LaunchJudge.Judge(new(cell, cell.Arms[1], "n"), end).Reason.ShouldBe(reason);
        LaunchJudge.Judge(new(cell, cell.Arms[0], "n"), end).Reason.ShouldBe(how == EndKind.OutOfMemory ? "limit 1024 MiB" : null);
    }

    private List<string> Problems(AskedLimits limits, MachineRoom room) =>
        [.. LaunchProblems.Of(_session.Launcher, Limited(limits), room).Select(problem => problem.ToString())];

    /// <summary>The plan of the session, whose head has these limits.</summary>
    private RunPlan Limited(AskedLimits limits)
    {
        var cell = _session.Plan.Cells[0];
        return _session.Plan with { Cells = [cell with { Arms = [cell.Arms[0], cell.Arms[1] with { Limits = limits }] }] };
    }

    private static Launch Launch(string evidence) => new()
    {
        Cell = "c001",
        Arm = "base",
        Stage = Stage.Confirm,
        Round = 0,
        Position = 0,
        Started = DateTimeOffset.UnixEpoch,
        WallSeconds = 1,
        Outcome = Outcome.Measured,
        Evidence = JsonNode.Parse(evidence)!.AsObject(),
    };
}
