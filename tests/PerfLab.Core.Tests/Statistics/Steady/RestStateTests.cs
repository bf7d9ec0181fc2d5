using System.Text.Json.Nodes;
using PerfLab.Core.Model;

namespace PerfLab.Core.Tests.Statistics.Steady;

/// <summary>Evidence is what a workload says: anything may be in it.</summary>
public sealed class RestStateTests
{
    [Theory]
    [InlineData("""{"atRest":true,"seconds":1.3,"least":1,"bound":11,"why":null}""", true, null)]
    [InlineData("""{"atRest":false,"seconds":11.02,"least":1,"bound":11,"why":"compiling"}""", false, Restlessness.Compiling)]
    [InlineData("""{"atRest":false,"seconds":11.02,"least":1,"bound":11,"why":"trend"}""", false, Restlessness.Trend)]
    public void what_the_kit_writes_is_read(string rest, bool atRest, Restlessness? why)
    {
        var state = Read(rest).ShouldNotBeNull();
        (state.AtRest, state.Why, state.Least, state.Bound).ShouldBe((atRest, why, 1, 11));
        state.Seconds.ShouldBe(atRest ? 1.3 : 11.02);
    }

    [Theory]
    [InlineData("7")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("""{"atRest":"true","seconds":1,"least":1,"bound":11,"why":null}""")]
    [InlineData("""{"atRest":1,"seconds":1,"least":1,"bound":11,"why":null}""")]
    [InlineData("""{"atRest":true,"seconds":-1,"least":1,"bound":11,"why":null}""")]
    [InlineData("""{"atRest":true,"seconds":1e300,"least":1,"bound":11,"why":null}""")]
    [InlineData("""{"atRest":true,"seconds":"1","least":1,"bound":11,"why":null}""")]
    [InlineData("""{"atRest":true,"seconds":1,"bound":11,"why":null}""")]
    [InlineData("""{"atRest":true,"seconds":1,"least":12,"bound":11,"why":null}""")]
    [InlineData("""{"atRest":true,"seconds":1,"least":1,"bound":11,"why":"trend"}""")]
    [InlineData("""{"atRest":false,"seconds":1,"least":1,"bound":11,"why":null}""")]
    [InlineData("""{"atRest":false,"seconds":1,"least":1,"bound":11,"why":"the moon"}""")]
    [InlineData("""{"atRest":false,"seconds":1,"least":1,"bound":11,"why":["trend"]}""")]
    public void what_can_not_be_true_is_no_state(string rest) => Read(rest).ShouldBeNull();

    [Fact]
    public void a_launch_without_it_has_no_age_that_the_lab_can_see() => RestState.From([]).ShouldBeNull();

    private static RestState? Read(string rest) => RestState.From(new JsonObject { ["rest"] = JsonNode.Parse(rest) });
}
