using System.Globalization;
using PerfLab.WorkloadKit;

namespace PerfLab.Workload.Tests.Kit;

public class ParametersTests
{
    [Fact]
    public void what_is_not_set_has_its_default()
    {
        var parameters = Of();
        parameters.Integer("pairs", 2, 1, 10).ShouldBe(2);
        parameters.Number("slower", 0.5, 0, 10).ShouldBe(0.5);
        parameters.Choice("effect", "spin", "sleep").ShouldBe("spin");
        parameters.Check();
    }

    [Fact]
    public void what_is_set_is_read_with_a_point_in_every_culture()
    {
        var before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo("de-DE");
            Of(("slower", "0.25")).Number("slower", 0, 0, 10).ShouldBe(0.25);
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Theory]
    [InlineData("11")]
    [InlineData("0")]
    [InlineData("1.5")]
    [InlineData("1,000")]
    [InlineData(" 1")]
    [InlineData("0x1")]
    [InlineData("")]
    [InlineData("99999999999")]
    public void a_wrong_whole_number_is_refused_by_name_and_bounds(string text)
    {
        var parameters = Of(("pairs", text));
        parameters.Integer("pairs", 2, 1, 10);
        Should.Throw<RefusedException>(parameters.Check).Message.ShouldBe($"parameter 'pairs' is '{text}', which is not a whole number from 1 to 10.");
    }

    [Theory]
    [InlineData("NaN")]
    [InlineData("Infinity")]
    [InlineData("-1")]
    [InlineData("1,5")]
    [InlineData("1e9")]
    public void a_wrong_number_is_refused(string text)
    {
        var parameters = Of(("slower", text));
        parameters.Number("slower", 0, 0, 10);
        Should.Throw<RefusedException>(parameters.Check).Message.ShouldContain("a number from 0 to 10");
    }

    [Fact]
    public void all_problems_are_told_at_once_with_what_is_known()
    {
        var parameters = Of(("pairs", "x"), ("effect", "spni"), ("pears", "3"));
        parameters.Integer("pairs", 2, 1, 10);
        parameters.Choice("effect", "spin", "sleep");
        var message = Should.Throw<RefusedException>(parameters.Check).Message;
        message.ShouldContain("'pairs'");
        message.ShouldContain("one of spin, sleep");
        message.ShouldContain("'pears' is unknown; known are effect, pairs");
    }

    private static Parameters Of(params (string Name, string Value)[] set) => new(set.ToDictionary(entry => entry.Name, entry => entry.Value, StringComparer.Ordinal));
}
