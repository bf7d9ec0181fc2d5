using PerfLab.Reports;

namespace PerfLab.Core.Tests.Reporting;

public sealed class PairStripTests
{
    [Fact]
    public void rounds_lie_between_no_change_and_the_worst_of_them()
    {
        var strip = PairStrip.Of([.. Enumerable.Repeat(Math.Log(1.10), 3), Math.Log(1.05), Math.Log(1.05)]);

        strip.ShouldBe($"|{new string('\u00B7', 18)}2{new string('\u00B7', 16)}3\n0.0 %{new string(' ', 25)}+10.0 %");
    }

    [Fact]
    public void faster_rounds_lie_left_of_the_bar() =>
        PairStrip.Of([-0.1, -0.1, 0.1]).ShouldBe($"2{new string('\u00B7', 17)}|{new string('\u00B7', 17)}1\n-9.5 %{new string(' ', 24)}+10.5 %");

    [Fact]
    public void a_round_without_any_change_lies_at_the_bar()
    {
        PairStrip.Of([0]).ShouldBe($"|1{new string('\u00B7', 35)}\n0.0 %{new string(' ', 27)}0.0 %");
        PairStrip.Of([0, -0.5]).ShouldContain("\n-39.3 % ");
    }

    [Theory]
    [InlineData(9, "9")]
    [InlineData(10, "+")]
    [InlineData(2000, "+")]
    public void ten_rounds_in_a_place_are_a_plus(int rounds, string sign) =>
        PairStrip.Of([.. Enumerable.Repeat(1.0, rounds)]).ShouldMatch($"[{sign}]\n0\\.0 % +2\\.72x slower$");

    [Fact]
    public void every_round_is_there_however_far_one_lies_away()
    {
        var pairs = Enumerable.Range(0, 200).Select(i => (i % 7) - 3.0).Append(40).Append(-0.001).ToList();

        var lines = PairStrip.Of(pairs).Split('\n');

        lines.Length.ShouldBe(2);
        var strip = lines[0];
        strip.Length.ShouldBe(37);
        lines[1].ShouldMatch("^20\\.1x faster  [0-9]+x slower$");
        strip.Count(sign => sign is '+' or (>= '1' and <= '9')).ShouldBeGreaterThan(3);
    }
}
