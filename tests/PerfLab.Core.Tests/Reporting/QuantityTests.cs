using PerfLab.Reports.Text;

namespace PerfLab.Core.Tests.Reporting;

public sealed class QuantityTests
{
    [Theory]
    [InlineData("s", 0.01241, "12.41 ms")]
    [InlineData("s", 1.2, "1.200 s")]
    [InlineData("s", 0.0000123, "12.30 µs")]
    [InlineData("s", 4.2e-9, "4.200 ns")]
    [InlineData("s", 4.2e-12, "0.004200 ns")]
    [InlineData("s", 0, "0 s")]
    [InlineData("s", 7200, "7.200 ks")]
    [InlineData("s", 0.99996, "1.000 s")]
    [InlineData("1/s", 412_300, "412.3 k/s")]
    [InlineData("/s", 12.5, "12.50 /s")]
    [InlineData("doc/s", 51_200.1, "51.20 k doc/s")]
    [InlineData("doc/s", 999.96, "1.000 k doc/s")]
    [InlineData("doc/s", 0.012, "0.01200 doc/s")]
    [InlineData("B/doc", 8123, "8.123 kB/doc")]
    [InlineData("B", 48_234_496, "48.23 MB")]
    [InlineData("B", 0.5, "0.5000 B")]
    [InlineData("ms", 12_410, "12410 ms")]
    [InlineData("MiB", 2048, "2048 MiB")]
    [InlineData("%", 93.25, "93.25 %")]
    [InlineData("", 12_345, "12.35 k")]
    [InlineData("s", -0.01241, "-12.41 ms")]
    [InlineData("s", 4.2e-17, "4.2E-8 ns")]
    [InlineData("doc/s", 1.5e300, "1.5E+288 T doc/s")]
    [InlineData("%", 1.5e300, "1.5E+300 %")]
    public void values_are_shown_with_four_digits_and_a_prefix_that_fits_the_unit(string unit, double value, string shown) =>
        Quantity.Format(unit, value).ShouldBe([shown]);

    [Fact]
    public void both_values_of_a_row_have_the_prefix_of_the_smaller() =>
        Quantity.Format("s", 0.998, 1.002).ShouldBe(["998.0 ms", "1002 ms"]);

    [Fact]
    public void values_too_far_apart_for_one_prefix_have_none() =>
        Quantity.Format("s", double.Epsilon, double.MaxValue).ShouldBe(["4.941E-324 s", "1.798E+308 s"]);

    [Fact]
    public void a_zero_does_not_choose_the_prefix() => Quantity.Format("B", 0, 8_123_000).ShouldBe(["0 MB", "8.123 MB"]);

    [Fact]
    public void no_value_is_a_dash() => Quantity.Format("s", null, 0.5).ShouldBe(["-", "500.0 ms"]);

    [Fact]
    public void exact_values_keep_every_digit() => Quantity.Exact("B", 81_231_017).ShouldBe("81231017 B");
}
