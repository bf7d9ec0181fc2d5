using PerfLab.Core.Files;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Tests.Requests;

public class ArmTextTests
{
    private readonly List<Problem> _problems = [];

    [Fact]
    public void an_arm_is_a_comma_list_of_dimension_and_value()
    {
        var arm = ArmText.Parse("--base", "base", "runtime=net8.0, framework=akka@1.5.30", _problems);
        arm.Values.ShouldBe(new Dictionary<string, string> { ["framework"] = "akka@1.5.30", ["runtime"] = "net8.0" }, ignoreOrder: true);
        _problems.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("main", "source=main")]
    [InlineData(".", "source=.")]
    [InlineData("v1.2, pgo=off", "pgo=off source=v1.2")]
    [InlineData("source=feature=x", "source=feature=x")]
    public void a_word_alone_is_a_source(string text, string values)
    {
        string.Join(' ', ArmText.Parse("--base", "base", text, _problems).Values.Select(pair => $"{pair.Key}={pair.Value}"))
            .ShouldBe(values);
        _problems.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("main,dev")]
    [InlineData("")]
    [InlineData("=net8.0")]
    [InlineData("runtime=")]
    [InlineData("runtime=net8.0,runtime=net9.0")]
    public void what_is_not_an_arm_is_a_problem(string text)
    {
        ArmText.Parse("--base", "base", text, _problems);
        _problems.ShouldHaveSingleItem().Where.ShouldBe("--base");
    }

    [Theory]
    [InlineData("pgo=on,,off")]
    [InlineData("pgo=on,on")]
    [InlineData("pgo")]
    public void a_list_has_no_empty_or_repeated_values(string text)
    {
        ArmText.ParseList("--set", text, _problems);
        _problems.ShouldHaveSingleItem();
    }
}
