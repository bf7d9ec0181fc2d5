using PerfLab.Building.Runtimes;
using PerfLab.Runner.Commands;

namespace PerfLab.Runner.Tests.Commands;

public sealed class RuntimeListTests
{
    private static readonly DateOnly Today = new(2026, 11, 11);

    private static readonly PackState Missing = new(PackStatus.Missing, "the-feed has none");

    [Fact]
    public void a_release_is_one_line_with_its_newest_patch_and_what_else_there_is() =>
        Row("net10.0", new DateOnly(2028, 11, 14), Patch("10.0.15"), Patch("10.0.14"), Patch("10.0.11"))
            .ShouldBe("net10.0 | 10.0.15 | available | supported until 2028-11-14 | also runtime=net10.0.14 and 1 more down to 10.0.11");

    [Fact]
    public void a_release_whose_support_is_not_known_says_so() =>
        Row("net12.0", null, Patch("12.0.1"), Patch("12.0.0")).ShouldBe("net12.0 | 12.0.1 | available | support not known | also runtime=net12.0.0");

    [Fact]
    public void support_ends_on_the_published_day()
    {
        Row("net8.0", Today, Patch("8.0.34")).ShouldContain("supported until 2026-11-11");
        Row("net8.0", Today.AddDays(-1), Patch("8.0.34")).ShouldContain("out of support since 2026-11-10");
    }

    [Fact]
    public void a_patch_that_no_source_has_does_not_hide_the_newest_one_that_there_is() =>
        Row("net8.0", Today, new PatchListing("8.0.34", Missing, Missing), Patch("8.0.33")).ShouldBe("net8.0 | 8.0.33 | available | supported until 2026-11-11 | ");

    [Fact]
    public void what_is_missing_is_said_in_the_sources_words()
    {
        Row("net8.0", Today, new PatchListing("8.0.34", Missing, Missing)).ShouldContain("| unavailable | supported until 2026-11-11 | the-feed has none");
        Row("net8.0", Today, new PatchListing("8.0.34", PackState.Available, Missing)).ShouldContain("| available without ASP.NET Core |");
        Row("net8.0", Today, new PatchListing("8.0.34", PackState.NotAsked, PackState.NotAsked)).ShouldContain("| not asked yet |");
    }

    private static PatchListing Patch(string patch) => new(patch, PackState.Available, PackState.Available);

    private static string Row(string name, DateOnly? endOfSupport, params PatchListing[] patches) =>
        string.Join(" | ", RuntimeList.Rows([new(new() { Name = name, EndOfSupport = endOfSupport }, patches)], Today).Single());
}
