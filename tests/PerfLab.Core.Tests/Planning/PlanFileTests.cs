using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using static PerfLab.Core.Tests.Planning.Workloads;

namespace PerfLab.Core.Tests.Planning;

public class PlanFileTests
{
    private static readonly RunPlan Example = Plan(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")), Json).Plan!;

    [Fact]
    public void a_plan_survives_writing_and_reading()
    {
        var text = PlanFile.File.Write(new(Example));
        var plan = Read(text);
        PlanFile.File.Write(new(plan)).ShouldBe(text);
    }

    [Fact]
    public void what_was_asked_for_and_what_it_costs_survive_too()
    {
        var request = Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("documents", "100") with { Targets = ["json-round-trip"], Rounds = (0, 20) };
        var asked = AskedRequest.Of(request) with { PullRequest = new("owner/name", 7, 8, 9, new string('a', 40), new string('b', 40), null) };
        var plan = Plan(request with { Asked = asked, Machine = new("agent", 0.6) }, Json).Plan!;
        var text = PlanFile.File.Write(new(plan));
        var read = Read(text);
        PlanFile.File.Write(new(read)).ShouldBe(text);
        read.Request!.Arms[1].Values["pgo"].ShouldBe("on");
        (read.Request.Targets[0], read.Request.Set["documents"][0], read.Request.Rounds, read.Request.PullRequest!.Number).ShouldBe(("json-round-trip", "100", "0+20", 7));
        read.Estimate.Cost.ShouldBe(new PlanCost("agent", 0.6, Math.Round(0.6 * plan.Estimate.LeastSeconds / 3600, 4), Math.Round(0.6 * plan.Estimate.MostSeconds / 3600, 4)));
        PlanFile.File.Read(text.Replace("\"pgo\": \"on\"", "\"pgo\": \"full\"")).Problems.Single().ToString().ShouldContain("was changed after it was made");
    }

    [Fact]
    public void a_plan_that_remembers_no_request_is_written_as_before_and_read()
    {
        var text = PlanFile.File.Write(new(Example));
        text.ShouldNotContain("\"request\"");
        text.ShouldNotContain("\"cost\"");
        PlanFile.File.Read(text).Problems.ShouldBeEmpty();
    }

    [Fact]
    public void a_stream_gets_the_same_bytes()
    {
        using var stream = new MemoryStream();
        PlanFile.File.Write(new(Example), stream);
        System.Text.Encoding.UTF8.GetString(stream.ToArray()).ShouldBe(PlanFile.File.Write(new(Example)));
    }

    [Fact]
    public void a_changed_plan_is_refused_by_its_hash() =>
        PlanFile.File.Read(PlanFile.File.Write(new(Example)).Replace("\"family-error\": 0.01", "\"family-error\": 0.5")).Problems.Single().ToString().ShouldContain("was changed after it was made");

    [Theory]
    [InlineData("\"seed\": 7", "\"seed\": 7, \"seed\": 7")]
    [InlineData("\"seed\": 7", "\"sede\": 7")]
    [InlineData("perf-lab/plan/1", "perf-lab/plan/9")]
    [InlineData("\"seed\": 7", "\"seed\": \"7\"")]
    public void unknown_duplicate_or_foreign_members_are_refused(string from, string to)
    {
        var text = PlanFile.File.Write(new(Example));
        text.ShouldContain(from);
        PlanFile.File.Read(text.Replace(from, to)).Value.ShouldBeNull();
    }

    [Fact]
    public void half_a_plan_is_refused_with_its_line() =>
        PlanFile.File.Read(PlanFile.File.Write(new(Example))[..400]).Problems.Single().ToString().ShouldContain("line ");

    [Fact]
    public void a_hash_is_the_same_in_every_version() => Example.Hash.ShouldBe("sha256:09c2781ae6351af6450840d06a0332a3f846427e8f863c975d2b27ef898401b9");

    [Fact]
    public void a_plan_that_says_its_knobs_twice_as_earlier_versions_did_keeps_its_hash()
    {
        PlannedArm Earlier(PlannedCell cell, PlannedArm arm) => arm with
        {
            Knobs = new SortedDictionary<string, string>(cell.Dimensions.Concat(arm.Dimensions).ToDictionary(pair => pair.Key, pair => pair.Value), StringComparer.Ordinal),
        };
        var plan = Example with { Cells = [.. Example.Cells.Select(cell => cell with { Arms = [.. cell.Arms.Select(arm => Earlier(cell, arm))] })] };
        const string hash = "sha256:25d464667d87988d38a822c85285037da8fad4ee903b05cf3ae8bd819959176f";
        PlanFile.Hash(plan).ShouldBe(hash);
        Read(PlanFile.File.Write(new(plan with { Hash = hash }))).Hash.ShouldBe(hash);
    }

    [Fact]
    public void a_plan_of_the_rule_that_is_gone_is_refused_with_what_to_do()
    {
        var plan = Example with { Policy = Example.Policy with { StopEarly = true } };
        var text = PlanFile.File.Write(new(plan with { Hash = PlanFile.Hash(plan) }));
        text.ShouldContain("\"stop-early\": true");

        var problem = PlanFile.File.Read(text).Problems.ShouldHaveSingleItem().ToString();

        problem.ShouldStartWith("plan.policy.stop-early: is gone");
        problem.ShouldContain("needs the perf-lab that made it");
    }

    private static RunPlan Read(string text)
    {
        var reading = PlanFile.File.Read(text);
        reading.Problems.ShouldBeEmpty();
        return reading.Value!.Plan;
    }
}
