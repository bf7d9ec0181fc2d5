using PerfLab.WorkloadKit;

namespace PerfLab.Workload.Tests.Kit;

public class LatencyHistogramTests
{
    [Fact]
    public void every_value_from_a_microsecond_to_a_minute_comes_back_within_a_thousandth()
    {
        for (var seconds = 1e-6; seconds < 60; seconds *= 1.0137)
        {
            var histogram = new LatencyHistogram();
            histogram.Record(seconds);
            histogram.Quantile(0.5).ShouldBe(seconds, tolerance: seconds / 1000);
        }
    }

    [Fact]
    public void quantiles_are_those_of_the_sorted_values()
    {
        var random = new Random(5);
        var values = Enumerable.Range(0, 20_000).Select(_ => Math.Exp((random.NextDouble() * 12) - 12)).ToArray();
        var histogram = new LatencyHistogram();
        Array.ForEach(values, histogram.Record);
        Array.Sort(values);
        foreach (var q in new[] { 0.0, 0.01, 0.5, 0.9, 0.99, 0.999, 1.0 })
        {
            var exact = values[Math.Max(0, (int)Math.Ceiling(q * values.Length) - 1)];
            histogram.Quantile(q).ShouldBe(exact, tolerance: exact / 1000);
        }
    }

    [Fact]
    public void merging_is_recording_everything_in_one()
    {
        var (one, other, all) = (new LatencyHistogram(), new LatencyHistogram(), new LatencyHistogram());
        foreach (var number in Enumerable.Range(1, 5000))
        {
            (number % 3 == 0 ? one : other).Record(number * 1.7e-5);
            all.Record(number * 1.7e-5);
        }

        one.Add(other);
        one.Buckets().ShouldBe(all.Buckets());
        one.Count.ShouldBe(5000);
    }

    [Fact]
    public void buckets_rise_and_count_every_value_once()
    {
        var histogram = new LatencyHistogram();
        foreach (var exponent in Enumerable.Range(0, 36))
        {
            histogram.Record(Math.Pow(2, exponent) * 1e-9);
            histogram.Record((Math.Pow(2, exponent) - 1) * 1e-9);
        }

        var buckets = histogram.Buckets().ToList();
        buckets.Select(bucket => bucket.Nanoseconds).ShouldBeInOrder();
        buckets.Sum(bucket => bucket.Count).ShouldBe(72);
    }

    [Theory]
    [InlineData(60.1)]
    [InlineData(1e9)]
    [InlineData(double.PositiveInfinity)]
    public void what_is_longer_than_a_minute_counts_as_a_minute_and_is_told(double seconds)
    {
        var histogram = new LatencyHistogram();
        histogram.Record(seconds);
        histogram.Saturated.ShouldBe(1);
        histogram.Quantile(1).ShouldBe(60, tolerance: 0.06);
    }

    [Fact]
    public void nothing_remains_after_clearing()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(1);
        histogram.Clear();
        histogram.Buckets().ShouldBeEmpty();
        Should.Throw<InvalidOperationException>(() => histogram.Quantile(0.5));
    }
}
