using PerfLab.Core.Model;

namespace PerfLab.Core.Tests.Files;

public sealed class CountedTests
{
    [Theory]
    [InlineData(0, "session", "0 sessions")]
    [InlineData(1, "session", "1 session")]
    [InlineData(1, "launch", "1 launch")]
    [InlineData(2, "launch", "2 launches")]
    [InlineData(1000, "round", "1000 rounds")]
    public void one_is_one_and_everything_else_is_many(int count, string noun, string shown) => Counted.Of(count, noun).ShouldBe(shown);
}
