using PerfLab.Runner.Commits;

namespace PerfLab.Runner.Tests.Commits;

/// <summary>Where commits of the past stand in a trend: in the order of the branch, whatever their dates say.</summary>
public sealed class PastCommitTests
{
    private static readonly DateTimeOffset Now = new(2026, 6, 1, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public void dates_in_order_stay() => Days(Places(1, 2, 3, 40)).ShouldBe([1, 2, 3, 40]);

    [Fact]
    public void a_date_out_of_order_stands_right_after_the_commit_before_it_and_moves_no_other()
    {
        Days(Places(10, 11, 1, 12, 13)).ShouldBe([10, 11, 11, 12, 13], "a clock that was years behind");
        Days(Places(10, 11, 120, 12, 13)).ShouldBe([10, 11, 11, 12, 13], "a clock that was ahead");
    }

    [Fact]
    public void many_of_one_second_follow_each_other()
    {
        var places = Places(5, 5, 5, 5, 6);
        places.ShouldBe(places.Distinct().Order());
        places.Select(place => place.ToUnixTimeMilliseconds()).Distinct().Count().ShouldBe(5);
    }

    [Fact]
    public void none_is_later_than_now()
    {
        var places = PastCommit.InOrder([Now.AddDays(1), Now.AddDays(2), Now.AddDays(3)], Now);
        places.ShouldBe(places.Distinct().Order());
        places[^1].ShouldBe(Now);
    }

    [Fact]
    public void a_random_line_rises_and_keeps_what_was_in_order()
    {
        var random = new Random(3);
        for (var seed = 0; seed < 200; seed++)
        {
            var dates = Enumerable.Range(0, 30).Select(day => Now.AddDays(-100 + (random.Next(4) == 0 ? random.Next(90) : day))).ToList();
            var places = PastCommit.InOrder(dates, Now);
            places.ShouldBe(places.Distinct().Order());
            // Three of four draws are in order: most of them stay.
            places.Zip(dates).Count(one => one.First - one.Second < TimeSpan.FromSeconds(1) && one.First >= one.Second).ShouldBeGreaterThan(12);
        }
    }

    private static IReadOnlyList<DateTimeOffset> Places(params int[] days) =>
        PastCommit.InOrder([.. days.Select(day => Now.AddDays(day - 150))], Now);

    private static int[] Days(IReadOnlyList<DateTimeOffset> places) => [.. places.Select(place => (int)Math.Floor((place - Now).TotalDays + 150.001))];
}
