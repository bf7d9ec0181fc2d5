using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Core.Profiles;
using PerfLab.Launching.Proof;
using PerfLab.Runner.Afterwards;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>What `explain` divides by, and what it says of time without a name.</summary>
public sealed class ExplainedWorkTests
{
    private const double Measured = 1.5;

    [Theory]
    [InlineData("req/s", 2000, null, 0.0005)]
    [InlineData("ns/op", 50, null, 5e-8)]
    [InlineData("s", 1.49, null, 1.49)] // the time of all that was measured
    [InlineData("s", 1.49, 3000L, 1.49)]
    [InlineData("s", 0.002, 3000L, 0.0005)] // a latency: the launch says how much it did
    [InlineData("ms", 2, 3000L, 0.0005)]
    [InlineData("B", 800, 3000L, 0.0005)]
    [InlineData("s", 0.002, null, null)]
    [InlineData("B", 800, null, null)]
    [InlineData("req/s", 0, 3000L, null)]
    public void a_unit_of_work_is_what_the_launch_did(string unit, double value, long? units, double? seconds)
    {
        var evidence = units is null ? new JsonObject() : new() { ["whileMeasuring"] = new JsonObject { ["units"] = units } };
        var judged = new JudgedLaunch(Outcome.Measured, null, new Dictionary<string, double> { ["it"] = value }, evidence);

        var found = ProfiledLaunches.UnitSeconds(new("it", unit, Better.Lower, Primary: true), Measured, judged);

        (found is null).ShouldBe(seconds is null);
        (found ?? 0).ShouldBe(seconds ?? 0, 1e-12);
    }

    [Theory]
    [InlineData(0.06, true)]
    [InlineData(0.04, false)]
    [InlineData(0, false)]
    public void time_without_a_name_is_told_where_it_is_more_than_a_twentieth(double share, bool isTold)
    {
        var profile = new LaunchProfile
        {
            Stacks = new Dictionary<ProfileKind, IReadOnlyList<StackWeight>>
            {
                [ProfileKind.Processor] = [new(["Main()"], 1 - share), new(["Main()", MethodName.Missing("libc.so.6")], share)],
            },
            Figures = new Dictionary<ProfileFigure, double>(),
        };

        ExplainStep.Unnamed([(profile, profile)]).Any().ShouldBe(isTold);
        ExplainStep.Unnamed([]).ShouldBeEmpty();
    }
}
