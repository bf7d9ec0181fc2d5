using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Tests.Steps;

public sealed class BuildsFileTests : IDisposable
{
    private readonly PullRequestLab _lab = new();

    [Fact]
    public async Task what_build_wrote_is_read()
    {
        var (plan, _) = await BuiltAsync();
        BuildsFile.Read(_lab.At("builds.json"), plan).Results.Count.ShouldBe(4);
    }

    [Theory]
    [InlineData("arms")]
    [InlineData("arms[0].build")]
    [InlineData("arms[0].build.folder")]
    [InlineData("plan")]
    public async Task a_missing_member_is_named(string member)
    {
        var (plan, builds) = await BuiltAsync();
        var place = builds;
        var names = member.Replace("[0]", ".0").Split('.');
        foreach (var name in names[..^1])
        {
            place = name == "0" ? place[0]! : place[name]!;
        }

        place.AsObject().Remove(names[^1]).ShouldBeTrue();
        Refused(plan, builds).ShouldBe($"{member}: is missing");
    }

    [Fact]
    public async Task a_missing_member_ends_measuring_with_its_name()
    {
        var (_, builds) = await BuiltAsync();
        builds.AsObject().Remove("arms");
        _lab.Write("builds.json", builds.ToJsonString());
        var (exit, _, error) = await _lab.RunAsync("measure", "plan.json", "--executor", "process", "--out", "session");
        exit.ShouldBe(1);
        error.ShouldContain("arms: is missing");
        error.ShouldNotContain("unexpected");
    }

    [Fact]
    public async Task rules_between_members_are_kept()
    {
        var (plan, builds) = await BuiltAsync();
        builds["arms"]![1] = builds["arms"]![0]!.DeepClone();
        builds["arms"]![2]!["failure"] = "does not build";
        Refused(plan, builds).ShouldBe("arms[1]: is there twice; arms[2]: must have exactly one of build, unavailable and failure");
    }

    [Fact]
    public async Task a_null_entry_is_named()
    {
        var (plan, builds) = await BuiltAsync();
        builds["arms"]![1] = null;
        Refused(plan, builds).ShouldBe("arms[1]: must be an object, is null");
    }

    [Fact]
    public async Task an_arm_that_was_not_built_is_missed_before_anything_runs()
    {
        var (plan, builds) = await BuiltAsync();
        builds["arms"]!.AsArray().RemoveAt(3);
        Refused(plan, builds).ShouldContain("it does not hold exactly the builds of arm 'base', arm 'head'");
    }

    [Fact]
    public async Task the_builds_of_another_plan_are_refused()
    {
        var (plan, builds) = await BuiltAsync();
        builds["plan"] = "sha256:" + new string('0', 64);
        Refused(plan, builds).ShouldContain("it belongs to plan sha256:0000");
    }

    public void Dispose() => _lab.Dispose();

    private async Task<(RunPlan Plan, JsonNode Builds)> BuiltAsync()
    {
        var plan = await _lab.PlanAsync();
        var (exit, _, error) = await _lab.RunAsync("build", "plan.json", "--executor", "process");
        exit.ShouldBe(0, error);
        return (plan, JsonNode.Parse(File.ReadAllText(_lab.At("builds.json")))!);
    }

    private string Refused(RunPlan plan, JsonNode builds)
    {
        _lab.Write("builds.json", builds.ToJsonString());
        return Should.Throw<LabException>(() => BuildsFile.Read(_lab.At("builds.json"), plan)).CameBack;
    }
}
