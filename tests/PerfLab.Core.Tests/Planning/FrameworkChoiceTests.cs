using PerfLab.Core.Planning;

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
    [InlineData("newtonsoft@latest", "newtonsoft@13.0.3")]
    [InlineData("stj", "stj")]
    public void a_version_is_exact_the_newest_of_a_prefix_or_tried_as_it_is(string text, string expected) =>
        FrameworkChoice.Parse(Workloads.Json, text, "where").Choice!.Name.ShouldBe(expected);

    [Theory]
    [InlineData("stj@9.0")]
    [InlineData("newtonsoft@")]
    [InlineData("newtonsoft@12.x")]
    [InlineData("newtonsoft@12..1")]
    [InlineData("newtonsoft@12.")]
    [InlineData("newtonsoft@12.0.1.2.3")]
    [InlineData("newtonsoft@12.0-")]
    [InlineData("newtonsoft@13;Evil=1")]
    [InlineData("akka@1.5")]
    public void what_is_no_version_is_refused(string text) =>
        FrameworkChoice.Parse(Workloads.Json, text, "where").Problem.ShouldNotBeNull();

    private static PerfLab.Core.Model.Workload Served(string? newest, params string[] versions) => Workloads.Json with
    {
        Frameworks = [new() { Name = "akka", Property = "AkkaVersion", Packages = ["Akka"], From = "1.4.36", Versions = versions, Default = newest }],
    };

    [Theory]
    [InlineData("akka", "akka@1.5.74")]
    [InlineData("akka@latest", "akka@1.5.74")]
    [InlineData("akka@1.5", "akka@1.5.74")]
    [InlineData("akka@1", "akka@1.5.74")]
    [InlineData("akka@1.5.73", "akka@1.5.73")]
    [InlineData("akka@1.6.0-beta1", "akka@1.6.0-beta1")]
    [InlineData("akka@1.4.36", "akka@1.4.36")]
    public void a_served_framework_means_the_newest_release_unless_more_is_said(string text, string expected) =>
        FrameworkChoice.Parse(Served("1.5.74", "1.5.73", "1.5.74", "1.6.0-beta1"), text, "where").Choice!.Name.ShouldBe(expected);

    [Theory]
    [InlineData("akka@1.5.*")]
    [InlineData("akka@LATEST")]
    [InlineData("akka@")]
    public void what_is_no_version_is_told_how_one_is_written(string text) =>
        FrameworkChoice.Parse(Served("1.5.74", "1.5.73", "1.5.74"), text, "where").Problem.ShouldNotBeNull().ToString()
            .ShouldEndWith(" is not a package version. "
                + "akka@latest is the newest, akka@1.2 the newest that begins so. There is: 1.5.74, 1.5.73.");

    [Theory]
    [InlineData("akka@1.5.999", false)]
    [InlineData("akka@1.5.74", true)]
    [InlineData("akka", true)]
    public void what_no_source_lists_is_known_before_the_build(string text, bool expected)
    {
        FrameworkChoice.Parse(Served("1.5.74", "1.5.73", "1.5.74"), text, "where").Choice.ShouldNotBeNull().IsListed.ShouldBe(expected);
        FrameworkChoice.Parse(Served("1.4.36"), text, "where").Choice.ShouldNotBeNull().IsListed.ShouldBeTrue("no source said what it has");
    }

    [Fact]
    public void a_version_that_no_source_has_is_refused_with_those_that_there_are() =>
        FrameworkChoice.Parse(Served("1.5.74", "1.5.73", "1.5.74"), "akka@9", "where").Problem.ShouldNotBeNull().ToString().ShouldBe("where: no release of akka begins with 9. There is: 1.5.74, 1.5.73.");

    [Fact]
    public void a_prefix_of_previews_only_means_none_of_them() =>
        FrameworkChoice.Parse(Served("1.5.74", "1.5.74", "1.6.0-beta1"), "akka@1.6", "where").Problem.ShouldNotBeNull().ToString()
            .ShouldBe("where: no release of akka begins with 1.6. There is: 1.6.0-beta1, 1.5.74.");

    [Fact]
    public void a_framework_with_previews_only_wants_to_be_told_which() =>
        FrameworkChoice.Parse(Served(null, "1.6.0-beta1"), "akka", "where").Problem.ShouldNotBeNull().ToString()
            .ShouldBe("where: the package sources have no release of Akka 1.4.36 or newer. There is: 1.6.0-beta1.");

    [Fact]
    public void of_five_hundred_versions_a_refusal_names_the_newest_dozen()
    {
        var many = Served("1.5.499", [.. Enumerable.Range(0, 500).Select(number => $"1.5.{number}")]);
        var refused = FrameworkChoice.Parse(many, "akka@9", "where").Problem.ShouldNotBeNull().ToString();
        refused.ShouldContain("There is: 1.5.499, 1.5.498, ");
        refused.ShouldEndWith("1.5.488 and 488 more.");
    }

    [Fact]
    public void versions_are_ordered_by_number_and_releases_come_after_their_previews()
    {
        string[] sorted = ["1.2", "1.10.0-alpha", "1.10.0-beta", "1.10.0", "1.10.1"];
        sorted.Reverse().Order(VersionOrder.Instance).ShouldBe(sorted);
    }
}
