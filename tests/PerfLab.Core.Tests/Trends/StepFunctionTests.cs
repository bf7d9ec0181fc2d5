using PerfLab.Core.Model;
using PerfLab.Core.Trends;

namespace PerfLab.Core.Tests.Trends;

public sealed class StepFunctionTests
{
    [Theory]
    [InlineData(0.1)]
    [InlineData(1)]
    [InlineData(4)]
    public void leaving_begins_out_changes_nothing(double price)
    {
        for (var run = 0; run < (Nightly.IsAsked ? 1000 : 200); run++)
        {
            var random = SeededRandom.For((ulong)run, "step function");
            double[] values = [.. Enumerable.Range(0, 8 + random.Next(60)).Select(_ => random.NextNormal() * (random.Next(8) == 0 ? 8 : 1))];
            StepFunction.Cuts(values, price).ShouldBe(OfAll(values, price), $"run {run}");
        }
    }

    [Fact]
    public void a_level_has_four_points_at_the_least() =>
        StepFunction.Cuts([0, 0, 0, 0, 9, 9, 9, 9, 0, 0, 0, 5, 5, 5, 5], price: 1).ShouldBe([4, 8], "three points at 0 are no level of their own");

    /// <summary>Every begin for every end, each cost from the values themselves.</summary>
    private static List<int> OfAll(double[] values, double price)
    {
        var best = new (double Cost, List<int> Cuts)[values.Length + 1];
        Array.Fill(best, (double.PositiveInfinity, []));
        best[0] = (-price, []);
        for (var end = 4; end <= values.Length; end++)
        {
            for (var begin = 0; begin <= end - 4; begin++)
            {
                var level = values[begin..end].Average();
                var cost = best[begin].Cost + price + values[begin..end].Sum(value => (value - level) * (value - level));
                best[end] = cost < best[end].Cost - 1e-9 ? (cost, begin == 0 ? [] : [.. best[begin].Cuts, begin]) : best[end];
            }
        }

        return best[^1].Cuts;
    }
}
