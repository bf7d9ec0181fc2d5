using PerfLab.Core.Profiles;

namespace PerfLab.Core.Tests.Profiles;

/// <summary>A method of a build is found again by the name that a trace gives it.</summary>
public sealed class ChangedMethodsTests
{
    [Theory]
    [InlineData("Parser.Next", "Lib.Parser.Next(int32)")]
    [InlineData("Parser.Next", "Parser.Next()")]
    [InlineData("Inner.Next", "Lib.Outer+Inner.Next(class System.String)")]
    [InlineData("Cache.Get", "Lib.Cache`2[System.__Canon,System.Collections.Generic.List`1[System.Int32]].Get(!0)")]
    [InlineData("Cache.Get", "Lib.Cache`2[System.__Canon,System.__Canon].Get[System.Int32](!0)")]
    [InlineData("Parser..ctor", "Lib.Parser..ctor(class System.String)")]
    [InlineData("Parser..cctor", "Lib.Parser..cctor()")]
    [InlineData("Parser.Next", "Lib.Parser+<>c.<Next>b__(int32)")]
    [InlineData("Parser.Next", "Lib.Parser+<>c__DisplayClass.<Next>b__(int32)")]
    [InlineData("Parser.Next", "Lib.Parser.<Next>g__Local|(int32)")]
    [InlineData("Parser.Next", "Lib.Parser+<Next>d__.MoveNext()")]
    public void it_is_found_as_it_runs(string changed, string traced) =>
        new ChangedMethods([changed]).Contains(traced).ShouldBeTrue();

    [Theory]
    [InlineData("Parser.Next", "Lib.Parser.NextToken(int32)")]
    [InlineData("Parser.Next", "Lib.TextParser.Next(int32)")]
    [InlineData("Parser.Next", "Lib.Parser+Token.Next()")]
    [InlineData("Parser.Next", "Lib.Parser.Peek(class Lib.Parser.Next)")]
    [InlineData("Parser.Next", "[libcoreclr]")]
    [InlineData("Parser.Next", "Next")]
    [InlineData("Parser.Next", "")]
    [InlineData("Parser.Next", "]](.[")]
    public void no_other_is(string changed, string traced) =>
        new ChangedMethods([changed]).Contains(traced).ShouldBeFalse();

    [Fact]
    public void none_has_no_method() => ChangedMethods.None.Contains("Lib.Parser.Next(int32)").ShouldBeFalse();
}
