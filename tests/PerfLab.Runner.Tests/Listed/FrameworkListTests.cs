using PerfLab.Core.Model;
using PerfLab.Runner.Commands;

namespace PerfLab.Runner.Tests.Listed;

/// <summary>The rows of `list frameworks`.</summary>
public sealed class FrameworkListTests
{
    [Fact]
    public void a_framework_is_one_line_with_its_default_and_what_there_is_the_newest_first() =>
        Row(Akka("1.5.74", "1.5.73", "1.5.74", "1.6.0-beta1")).ShouldBe("akka | talk | 1.5.74 | 1.6.0-beta1, 1.5.74, 1.5.73");

    [Fact]
    public void of_many_versions_eight_are_named() =>
        Row(Akka("1.5.9", [.. Enumerable.Range(0, 10).Select(number => $"1.5.{number}")]))
            .ShouldBe("akka | talk | 1.5.9 | 1.5.9, 1.5.8, 1.5.7, 1.5.6, 1.5.5, 1.5.4, 1.5.3, 1.5.2 and 2 more");

    [Fact]
    public void a_framework_with_previews_only_says_so_and_names_them() =>
        Row(Akka(null, "1.6.0-beta1")).ShouldBe("akka | talk | previews only | 1.6.0-beta1");

    [Fact]
    public void one_that_comes_with_the_runtime_has_no_version() =>
        Row(new() { Name = "bare" }).ShouldBe("bare | talk | - | in the runtime");

    [Theory]
    [InlineData(false, "akka | talk | not asked yet | `./perf-lab list frameworks` asks the package sources")]
    [InlineData(true, "akka | talk | none known | no package source says that it has Akka and Akka.Remote 1.5.71 or newer")]
    public void one_of_which_nothing_is_known_says_whether_anybody_was_asked(bool isAsked, string row) =>
        Row(Akka("1.5.71"), isAsked).ShouldBe(row);

    private static FrameworkDefinition Akka(string? newest, params string[] versions) => new()
    {
        Name = "akka",
        Property = "AkkaVersion",
        Packages = ["Akka", "Akka.Remote"],
        From = "1.5.71",
        Versions = versions,
        Default = newest,
    };

    private static string Row(FrameworkDefinition framework, bool isAsked = true) =>
        string.Join(" | ", ListCommand.FrameworkRow("talk", framework, isAsked));
}
