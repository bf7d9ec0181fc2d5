using System.Text;
using PerfLab.Core.Evidence;

namespace PerfLab.Core.Tests.Evidence;

public class JitSummaryTests
{
    [Fact]
    public void every_kind_of_line_that_the_jit_writes_is_counted()
    {
        var summary = Parse(
            "   1: JIT compiled Program:<Main>$(System.String[]) [Tier0, IL size=38, code size=226]",
            "   2: JIT compiled Some.Type`1[System.__Canon]:Loop(int) [Instrumented Tier0, IL size=261, code size=1583]",
            "   3: JIT compiled A:B() [Tier1, IL size=1, code size=2]",
            "   4: JIT compiled A:B() [Instrumented Tier1 with Static PGO, IL size=1, code size=2]",
            "   5: JIT compiled A:B() [Tier1 with Dynamic PGO, IL size=1, code size=2]",
            "   6: JIT compiled A:C() [Tier1-OSR @0x2a with Dynamic PGO, IL size=1, code size=2]",
            "   7: JIT compiled A:D() [FullOpts, IL size=1, code size=2]",
            "   8: JIT compiled A:E() [Tier-0 switched to FullOpts, IL size=1, code size=2]");
        (summary.Methods, summary.Tier0, summary.Tier1, summary.Instrumented, summary.Osr, summary.FullOpts, summary.ForeignLines).ShouldBe((8, 2, 3, 2, 1, 1, 0));
        summary.CoreLibraryWasJitted.ShouldBeFalse();
    }

    [Fact]
    public void a_precompiled_method_in_the_list_shows_that_precompiled_code_is_not_used() =>
        Parse("   1: JIT compiled System.AppContext:Setup(ptr,ptr,int) [Tier0, IL size=1, code size=2]").CoreLibraryWasJitted.ShouldBeTrue();

    [Theory]
    [InlineData("")]
    [InlineData("[Tier0, IL size=1, code size=2]")]
    [InlineData("   1: JIT compiled A:B() [Tier0")]
    [InlineData("   1: JIT compiled A:B() Tier0, IL size=1]")]
    [InlineData("]")]
    [InlineData("\0\0\0\0")]
    public void anything_else_is_no_method(string line) => Parse(line).Methods.ShouldBe(0);

    [Fact]
    public void lines_that_are_none_of_the_jits_are_counted_apart() => Parse("hello", "world").ForeignLines.ShouldBe(2);

    private static JitSummary Parse(params string[] lines) => JitSummary.Parse(Encoding.UTF8.GetBytes(string.Join('\n', lines) + "\n"));
}
