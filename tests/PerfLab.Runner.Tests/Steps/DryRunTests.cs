using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Requests;
using PerfLab.Runner.Flow;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>The line that says what a plan takes, before anything is launched.</summary>
public sealed class DryRunTests
{
    [Theory]
    [InlineData(2, 60, "4 min")] // 26 launches, each up to 10 s longer
    [InlineData(2, 7, "52 s")] // up to half of the 4 s that the deadline leaves
    public void what_may_come_on_top_where_programs_do_not_come_to_rest_is_said(double warmUp, double timeout, string more) =>
        Line(warmUp, timeout).ShouldContain($" of measuring (up to {more} more where programs do not come to rest), seed 7, ");

    [Fact]
    public void what_is_measured_from_its_start_takes_no_longer() => Line(0, 60).ShouldContain(" of measuring, seed 7, ");

    /// <summary>Two arms and 13 rounds.</summary>
    private static string Line(double warmUp, double timeout)
    {
        var program = new Workload
        {
            Name = "program",
            Summary = "fake",
            Folder = "/nowhere",
            Build = new() { Kind = BuildKind.Dotnet, Project = "p.csproj", Runtimes = ["net8.0", "net10.0"] },
            Command = ["./p"],
            Modes = [new("steady", [new("time", "s", Better.Lower, Primary: true)])],
            Launch = new(warmUp, 1, timeout),
            Resources = new(2, 1L << 30, 64),
        };
        var request = new BenchmarkRequest
        {
            Targets = [],
            Arms = [ArmText.Parse("", "base", "runtime=net8.0", []), ArmText.Parse("", "head", "runtime=net10.0", [])],
            Rounds = (0, 13),
            Seed = 7,
        };
        var planned = Planner.Plan(request, new([program], (text, _) => (new(text, text, text[3..] + ".14", null), null)));
        return DryRun.Summary(planned.Plan.ShouldNotBeNull());
    }
}
