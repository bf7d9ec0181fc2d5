using PerfLab.Core.Planning;
using static PerfLab.Core.Tests.Planning.Workloads;

namespace PerfLab.Core.Tests.Planning;

public class PlanJsonTests
{
    private static readonly RunPlan Example = Plan(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")), Json).Plan!;

    [Fact]
    public void a_plan_survives_writing_and_reading()
    {
        var text = PlanJson.Write(Example);
        var (plan, problem) = PlanJson.Read(text);
        problem.ShouldBeNull();
        PlanJson.Write(plan!).ShouldBe(text);
    }

    [Fact]
    public void a_stream_gets_the_same_bytes()
    {
        using var stream = new MemoryStream();
        PlanJson.Write(Example, stream);
        System.Text.Encoding.UTF8.GetString(stream.ToArray()).ShouldBe(PlanJson.Write(Example));
    }

    [Fact]
    public void a_changed_plan_is_refused_by_its_hash() =>
        PlanJson.Read(PlanJson.Write(Example).Replace("\"family-error\": 0.01", "\"family-error\": 0.5")).Problem!.ShouldContain("was changed after it was made");

    [Theory]
    [InlineData("\"seed\": 7", "\"seed\": 7, \"seed\": 7")]
    [InlineData("\"seed\": 7", "\"sede\": 7")]
    [InlineData("perf-lab/plan/1", "perf-lab/plan/9")]
    [InlineData("\"seed\": 7", "\"seed\": \"7\"")]
    public void unknown_duplicate_or_foreign_members_are_refused(string from, string to)
    {
        var text = PlanJson.Write(Example);
        text.ShouldContain(from);
        PlanJson.Read(text.Replace(from, to)).Plan.ShouldBeNull();
    }

    [Fact]
    public void half_a_plan_is_refused_with_its_line() =>
        PlanJson.Read(PlanJson.Write(Example)[..400]).Problem!.ShouldContain("line ");
}
