using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Tests.Statistics;

public sealed class NoiseTests
{
    [Fact]
    public void it_is_the_scaled_median_distance()
    {
        // Distances of 0, 1, 3: 1, 2, 3; the median is 2.
        Noise.Of([0, 1, 3]).ShouldBe(1.0483 * 2 * (1 - (0.45 / 3)));
    }

    [Fact]
    public void one_value_has_no_spread()
    {
        Noise.Of([1]).ShouldBeNull();
        Noise.Of([]).ShouldBeNull();
    }

    [Theory]
    [InlineData(8)]
    [InlineData(20)]
    public void for_normal_differences_it_is_their_standard_deviation_on_average(int rounds)
    {
        var random = SeededRandom.For(3, $"noise {rounds}");
        var mean = Enumerable.Range(0, 20_000)
            .Average(_ => Noise.Of([.. Enumerable.Range(0, rounds).Select(_ => random.NextNormal())])!.Value);

        // The mean of 20,000 has a standard error below 0.003.
        mean.ShouldBe(1, 0.012);
    }

    [Fact]
    public void a_few_bad_rounds_hardly_move_it()
    {
        var quiet = SampleSetBuilder.Quiet;
        double[] disturbed = [.. quiet[..18], 3, -5];

        Noise.Of(disturbed)!.Value.ShouldBeLessThan(1.5 * Noise.Of(quiet)!.Value);
    }
}
