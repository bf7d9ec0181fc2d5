using PerfLab.Reports.Text;

namespace PerfLab.Core.Tests.Reporting;

public sealed class PercentTests
{
    [Theory]
    [InlineData(0.0306, 0.0242, 0.0381, "+3.1 % [+2.4, +3.8]")]
    [InlineData(-0.043, -0.05, -0.038, "-4.3 % [-5.0, -3.8]")]
    [InlineData(0.0004, -0.0002, 0.0009, "+0.04 % [-0.02, +0.09]")]
    [InlineData(0.0001, -0.0021, 0.0023, "0.0 % [-0.2, +0.2]")]
    [InlineData(1.52, 1.4, 1.61, "2.52x slower [2.40, 2.61]")]
    [InlineData(-0.5066, -0.5122, -0.5, "2.03x faster [2.00, 2.05]")]
    [InlineData(209.6, 200, 220.4, "211x slower [201, 221]")]
    [InlineData(9.96, -0.2, 120, "11.0x slower [0.80, 121]")]
    [InlineData(0.98, 0.9, 1.1, "+98 % [+90, +110]")]
    [InlineData(-0.00001, -0.02, 0.02, "0.0 % [-2.0, +2.0]")]
    public void a_change_and_its_interval_have_the_same_decimals_and_a_sign_unless_zero(double change, double low, double high, string shown) =>
        Percent.Change(change, low, high, "doc/s").ShouldBe(shown);

    [Fact]
    public void a_change_without_interval_stands_alone()
    {
        Percent.Change(0.031, null, null, "s").ShouldBe("+3.1 %");
        Percent.Change(3, null, null, "B").ShouldBe("4.00x worse");
        Percent.Change(-0.75, -1, null, "B").ShouldBe("4.00x better");
        Percent.Change(-1, -1, -1, "s").ShouldBe("-100 % [-100, -100]");
        Percent.Change(null, null, null, "s").ShouldBe("-");
    }

    [Theory]
    [InlineData(0.031, "s", "3.1 % slower")]
    [InlineData(0.0281, "doc/s", "2.8 % slower")]
    [InlineData(-0.043, "ns/op", "4.3 % faster")]
    [InlineData(-0.5066, "s", "2.0x faster")]
    [InlineData(1.0, "1/s", "2.0x slower")]
    [InlineData(150, "s", "151x slower")]
    [InlineData(0.98, "s", "98.0 % slower")]
    [InlineData(0.031, "B/doc", "3.1 % worse")]
    [InlineData(-0.75, "B", "4.0x better")]
    [InlineData(-1, "s", "100 % faster")]
    [InlineData(0, "s", "the same")]
    public void words_say_what_the_sign_means(double change, string unit, string words) => Percent.InWords(change, unit).ShouldBe(words);

    [Theory]
    [InlineData(0.01, "1 %")]
    [InlineData(0.07, "7 %")]
    [InlineData(0.001, "0.1 %")]
    [InlineData(0.999, "99.9 %")]
    [InlineData(0.95, "95 %")]
    public void constants_have_every_digit_and_no_more(double fraction, string shown) => Percent.Constant(fraction).ShouldBe(shown);
}
