using System.Xml.Linq;
using PerfLab.Core.Profiles;
using PerfLab.Reports.Why;

namespace PerfLab.Core.Tests.Profiles;

/// <summary>Names that are found again, and what people are shown.</summary>
public sealed class ProfileTextsTests
{
    private static readonly Explanation Example = new()
    {
        Rows =
        [
            new()
            {
                Cell = "c001", Label = "parse / net10.0.14", Arm = "head", Reference = "base", Work = "doc", Rounds = 12,
                Figures = [new(ProfileFigure.Exceptions, 0, 0.5, 0.5, 0.49, 0.51, 0.004), new(ProfileFigure.ManagedTime, 10e-6, 11.2e-6, 1.2e-6, 1.1e-6, 1.3e-6, 0.004)],
                Methods = [new(ProfileKind.Processor, "Lib.Parser.Read(class System.String)", 4e-6, 5.1e-6, 1.1e-6, 1.0e-6, 1.2e-6, 0.11, 1.15e-6, 1, 0.004)],
                Doubts = ["round 3, head: the trace is empty"],
            },
        ],
    };

    [Theory]
    [InlineData("App.Program.<Main>b__0_1(int32)", "App.Program.<Main>b__(int32)")]
    [InlineData("App.Program+<>c__DisplayClass3_0.<Run>b__2()", "App.Program+<>c__DisplayClass.<Run>b__()")]
    [InlineData("App.Program.<Main>g__Local|0_12()", "App.Program.<Main>g__Local|()")]
    [InlineData("App.Reader+<ReadAsync>d__17.MoveNext()", "App.Reader+<ReadAsync>d__.MoveNext()")]
    [InlineData("Program.<<Main>$>b__0_1()", "Program.<<Main>$>b__()")]
    [InlineData("Program.<<Main>$>g__Local|0_3(int32)", "Program.<<Main>$>g__Local|(int32)")]
    [InlineData("System.Collections.Generic.List`1[System.Int32].Add(!0)", "System.Collections.Generic.List`1[System.Int32].Add(!0)")]
    public void names_that_the_compiler_numbers_lose_their_numbers(string raw, string name) => MethodName.Of(raw).ShouldBe(name);

    [Fact]
    public void the_text_says_what_changed_and_where_in_a_line_each() => ExplanationText.Plain(Example).ShouldStartWith(
        """
        Why: parse / net10.0.14, head against base, 12 traced rounds

          exceptions: 0 -> 0.5000 per doc (none before)
          time in managed code: 10.00 µs -> 11.20 µs per doc (+12.0 % [+11.0, +13.0])

        time of the method itself, change per doc

          +1.100 µs (+11.0 % of everything, in 100 % of the rounds)  Lib.Parser.Read(class System.String)
          doubt: round 3, head: the trace is empty

        """.ReplaceLineEndings("\n"));

    [Fact]
    public void a_method_name_can_not_become_markup()
    {
        var hostile = Example with { Rows = [Example.Rows[0] with { Methods = [Example.Rows[0].Methods[0] with { Method = "<img src=x>`|@team\n## owned" }] }] };

        var markdown = ExplanationText.Markdown(hostile);

        markdown.ShouldContain("`<img src=x>'¦@team ## owned`");
        markdown.Split('\n').ShouldNotContain("## owned");
    }

    [Fact]
    public void nothing_found_is_said_in_a_sentence() => ExplanationText.Plain(new() { Rows = [Example.Rows[0] with { Figures = [], Methods = [], Doubts = [] }] })
        .ShouldContain("no counter and no method changed beyond chance");

    [Fact]
    public void the_flame_graph_is_whole_svg_with_signs_beside_colours_and_harmless_names()
    {
        var tree = FrameTree.Of(ProfileKind.Processor, [(Profile(("Main", "Old"), 40), Profile(("Main", "<script>alert(1)</script>"), 60))]);

        var svg = XDocument.Parse(FlameSvg.Render(tree, "title", "subtitle"));

        svg.Descendants().Count(element => element.Name.LocalName == "rect").ShouldBe(1 + 3);
        svg.Descendants().ShouldNotContain(element => element.Name.LocalName == "script");
        svg.Descendants().Where(element => element.Name.LocalName == "text").Select(element => element.Value).ShouldContain(text => text.StartsWith("+33.3 % Main", StringComparison.Ordinal));
    }

    [Fact]
    public void folded_stacks_are_one_line_each_and_names_can_not_add_frames() =>
        FoldedStacks.Of([[new(["Main", "a;b"], 2e-9), new(["Main"], 4e-9)], [new(["Main", "a;b"], 4e-9)]]).ShouldBe("Main 2\nMain;a:b 3\n");

    private static LaunchProfile Profile((string Outer, string Inner) stack, double weight) => new()
    {
        Stacks = new Dictionary<ProfileKind, IReadOnlyList<StackWeight>> { [ProfileKind.Processor] = [new([stack.Outer, stack.Inner], weight)] },
        Figures = new Dictionary<ProfileFigure, double>(),
    };
}
