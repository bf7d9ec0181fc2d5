using PerfLab.Core.Planning.Cells;

namespace PerfLab.Core.Tests.Planning;

public class FrameworkChoiceTests
{
    [Theory]
    [InlineData("newtonsoft", "newtonsoft@13.0.3")]
    [InlineData("newtonsoft@12.0.1", "newtonsoft@12.0.1")]
    [InlineData("newtonsoft@12", "newtonsoft@12.0.3")]
    [InlineData("newtonsoft@12.0", "newtonsoft@12.0.3")]
    [InlineData("newtonsoft@11.0.2", "newtonsoft@11.0.2")]
    [InlineData("newtonsoft@14.0.0-beta.2+build7", "newtonsoft@14.0.0-beta.2+build7")]
    [InlineData("stj", "stj")]
    public void a_version_is_exact_the_newest_of_a_prefix_or_tried_as_it_is(string text, string expected) =>
        FrameworkChoice.Parse(Workloads.Json, text, "where").Choice!.Name.ShouldBe(expected);

    [Theory]
    [InlineData("stj@9.0")]
    [InlineData("newtonsoft@")]
    [InlineData("newtonsoft@latest")]
    [InlineData("newtonsoft@12.x")]
    [InlineData("newtonsoft@12..1")]
    [InlineData("newtonsoft@12.")]
    [InlineData("newtonsoft@12.0.1.2.3")]
    [InlineData("newtonsoft@12.0-")]
    [InlineData("newtonsoft@13;Evil=1")]
    [InlineData("akka@1.5")]
    public void what_is_no_version_is_refused(string text) =>
        FrameworkChoice.Parse(Workloads.Json, text, "where").Problem.ShouldNotBeNull();

    [Fact]
    public void versions_are_ordered_by_number_and_releases_come_after_their_previews()
    {
        string[] sorted = ["1.2", "1.10.0-alpha", "1.10.0-beta", "1.10.0", "1.10.1"];
        sorted.Reverse().Order(VersionOrder.Instance).ShouldBe(sorted);
    }
}
