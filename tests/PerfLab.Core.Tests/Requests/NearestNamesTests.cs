using PerfLab.Core.Files;

namespace PerfLab.Core.Tests.Requests;

public class NearestNamesTests
{
    private static readonly string[] Names = ["channel-actors", "calibrated-spin", "json-round-trip", "http-loopback"];

    [Theory]
    [InlineData("chanel-actors", "Did you mean channel-actors?")]
    [InlineData("json", "Did you mean json-round-trip?")]
    [InlineData("calibrated-spni", "Did you mean calibrated-spin?")]
    public void a_typing_error_gets_the_nearest_name(string wrong, string expected) =>
        NearestNames.Suggest(wrong, Names).ShouldBe(expected);

    [Fact]
    public void something_far_away_gets_the_list() =>
        NearestNames.Suggest("zzzzzzzzzzzzzzzzzzzzzzz", Names).ShouldBe("Valid: channel-actors, calibrated-spin, json-round-trip, http-loopback.");

    [Fact]
    public void a_long_list_is_cut() =>
        NearestNames.Suggest("zzzzzzzz", Enumerable.Range(0, 40).Select(i => $"name{i}")).ShouldContain("… (40 in all)");
}
