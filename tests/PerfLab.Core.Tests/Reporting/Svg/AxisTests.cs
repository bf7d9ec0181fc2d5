using PerfLab.Reports.Svg;

namespace PerfLab.Core.Tests.Reporting.Svg;

public sealed class AxisTests
{
    [Theory]
    [InlineData(new[] { 12.0, 70.0 }, false, new[] { 0.0, 20, 40, 60, 80 })]
    [InlineData(new[] { 0.0, 0.0 }, false, new[] { 0.0, 0.5, 1, 1.5 })]
    [InlineData(new[] { 1.0, 900.0 }, true, new[] { 1.0, 2, 5, 10, 20, 50, 100, 200, 500, 1000 })]
    [InlineData(new[] { 0.3, 21_000.0 }, true, new[] { 0.1, 1, 10, 100, 1000, 10_000, 100_000 })]
    public void ticks_are_round_and_a_logarithm_comes_where_values_span_decades(double[] values, bool isLog, double[] ticks)
    {
        var axis = Axis.Of(values);
        axis.IsLog.ShouldBe(isLog);
        axis.Ticks.Zip(ticks).ShouldAllBe(pair => Math.Abs(pair.First - pair.Second) < 1e-9 * Math.Max(1, pair.Second));
        axis.Place(axis.Ticks[0]).ShouldBe(0, 1e-9);
    }

    [Fact]
    public void values_close_together_are_shown_where_they_differ_and_the_reader_is_told()
    {
        Axis.Of([97.0, 100]).HidesZero.ShouldBeTrue();
        Axis.Of([40.0, 100]).HidesZero.ShouldBeFalse();
    }

    [Theory]
    [InlineData(new[] { 1.0, 5, 10, 15, 20, 25, 30 }, false)]
    [InlineData(new[] { 1.0, 10, 100, 1000 }, true)]
    [InlineData(new[] { 1.0, 5, 30, 200 }, true)]
    [InlineData(new[] { 0.0, 10, 1000 }, false)]
    [InlineData(new[] { -5.0, 10, 1000 }, false)]
    public void a_sweep_takes_the_scale_on_which_its_numbers_lie_more_evenly(double[] numbers, bool isLog) => Axis.Along(numbers).IsLog.ShouldBe(isLog);

    [Fact]
    public void numbers_too_close_for_a_label_each_keep_their_place_and_lose_the_label()
    {
        var axis = Axis.Along([1, 1.01, 1.02, 50, 100]);
        axis.Ticks.ShouldBe([1, 50, 100]);
        axis.Place(1.01).ShouldBeGreaterThan(axis.Place(1));
    }

    [Fact]
    public void one_number_alone_is_no_crash() => double.IsFinite(Axis.Along([7]).Place(7)).ShouldBeTrue();

    [Fact]
    public void every_colour_stands_out_from_its_ground()
    {
        Palette.Light.Append(Palette.LightText).Append(Palette.LightFaint).ShouldAllBe(colour => Contrast(colour, Palette.LightGround) >= 4.5);
        Palette.Dark.Append(Palette.DarkText).Append(Palette.DarkFaint).ShouldAllBe(colour => Contrast(colour, Palette.DarkGround) >= 4.5);
        Palette.Light.Count.ShouldBe(Palette.Dark.Count);
    }

    /// <summary>WCAG 2.2, "contrast ratio".</summary>
    private static double Contrast(string one, string other)
    {
        var (first, second) = (Luminance(one), Luminance(other));
        return (Math.Max(first, second) + 0.05) / (Math.Min(first, second) + 0.05);
    }

    private static double Luminance(string colour)
    {
        double Part(int place) => Convert.ToInt32(colour.Substring(place, 2), 16) / 255.0 is var part && part <= 0.04045 ? part / 12.92 : Math.Pow((part + 0.055) / 1.055, 2.4);
        return (0.2126 * Part(1)) + (0.7152 * Part(3)) + (0.0722 * Part(5));
    }
}
