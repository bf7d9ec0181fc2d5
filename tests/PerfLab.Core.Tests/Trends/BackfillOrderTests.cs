using PerfLab.Core.Trends;

namespace PerfLab.Core.Tests.Trends;

/// <summary>Few commits tell most: the end, then the middle of the gap about which least is known.</summary>
public sealed class BackfillOrderTests
{
    private static readonly IReadOnlySet<int> None = new HashSet<int>();

    [Fact]
    public void the_newest_that_can_be_measured_comes_first_and_a_calm_line_is_halved()
    {
        Next(101, []).ShouldBe(100);
        Next(101, [], leftOut: [100, 99]).ShouldBe(98);
        Next(101, [(100, 0)]).ShouldBe(50);
        Next(101, [(100, 0), (50, 0)]).ShouldBe(75, "of equals the newer");
        Next(101, [(100, 0), (50, 0), (75, 0)]).ShouldBe(25);
    }

    [Fact]
    public void a_gap_whose_ends_differ_is_halved_before_wider_calm_ones_and_not_without_end()
    {
        // 12 between 0 and 13 that differ by 5 noises; 86 calm ones after it.
        Next(101, [(13, 0.05), (100, 0.05)], half: 0.01).ShouldBe(56);
        Next(101, [(13, 0.5), (100, 0.5)], half: 0.01).ShouldBe(6, "12 times 8 is more than 86");
        Next(101, [(9, 0.5), (100, 0.5)], half: 0.01).ShouldBe(54, "8 times 8 is less than 90, however large the step");
    }

    [Fact]
    public void of_several_rows_the_one_that_differs_most_decides()
    {
        List<BackfilledPlace> known = [Place(0), Place(20, ("calm", 0.0), ("moved", 0.3)), Place(100, ("calm", 0.0), ("moved", 0.3))];
        BackfillOrder.Next(101, known, None, None).ShouldBe(10);
    }

    [Fact]
    public void between_two_that_run_the_same_nothing_is_looked_for()
    {
        BackfilledPlace At(int place, double change, string runs) => Place(place, ("row", change)) with { Runs = runs };

        BackfillOrder.Next(101, [At(0, 0, "a"), At(100, 0, "a")], None, None).ShouldBeNull();
        BackfillOrder.Next(101, [At(0, 0, "a"), At(90, 0, "a"), At(100, 0.5, "b")], None, None).ShouldBe(95);
    }

    [Fact]
    public void a_tag_near_the_middle_goes_before_the_middle()
    {
        Next(101, [(100, 0)], tags: [40]).ShouldBe(40);
        Next(101, [(100, 0)], tags: [5, 95]).ShouldBe(50);
        Next(101, [(100, 0)], tags: [60, 45]).ShouldBe(45);
        Next(101, [(100, 0)], tags: [60, 45], leftOut: [45]).ShouldBe(60);
    }

    [Fact]
    public void every_commit_comes_once_and_then_nothing_is_left()
    {
        var (known, leftOut) = (new List<(int, double)>(), new List<int>());
        for (var next = Next(30, known, leftOut: leftOut); next is { } place; next = Next(30, known, leftOut: leftOut))
        {
            place.ShouldBeInRange(1, 29);
            known.ShouldNotContain(one => one.Item1 == place);
            leftOut.ShouldNotContain(place);
            if (place % 5 == 0)
            {
                leftOut.Add(place);
            }
            else
            {
                known.Add((place, place > 17 ? 0.05 : 0));
            }
        }

        (known.Count + leftOut.Count).ShouldBe(29);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(0)]
    public void where_nothing_comes_after_the_anchor_nothing_is_measured(int more) =>
        Next(1 + more, [], leftOut: [.. Enumerable.Range(1, more)]).ShouldBeNull();

    [Fact]
    public void five_steps_in_200_commits_are_found_to_the_commit_by_forty_points()
    {
        int[] steps = [23, 61, 97, 140, 178];
        double ValueOf(int place) => 0.05 * steps.Count(step => step <= place) * 1;
        var known = new List<(int Place, double Change)>();
        while (known.Count < 40 && Next(201, known, half: 0.005) is { } next)
        {
            known.Add((next, ValueOf(next)));
        }

        var sorted = known.Append((0, 0.0)).OrderBy(one => one.Item1).ToList();
        var gaps = sorted.Zip(sorted.Skip(1)).Where(pair => pair.Second.Item2 != pair.First.Item2)
            .Select(pair => (From: pair.First.Item1, To: pair.Second.Item1)).ToList();
        gaps.Count.ShouldBe(5);
        gaps.ShouldAllBe(gap => gap.To - gap.From <= 2);
    }

    private static int? Next(
        int commits, IReadOnlyList<(int Place, double Change)> known, double half = 0.01, IReadOnlyList<int>? leftOut = null, IReadOnlyList<int>? tags = null) =>
        BackfillOrder.Next(commits, [new(0, new Dictionary<string, (double, double)>()), .. known.Select(one => new BackfilledPlace(
            one.Place, new Dictionary<string, (double, double)> { ["row"] = (one.Change, half / Math.Sqrt(2)) }))],
            (leftOut ?? []).ToHashSet(), (tags ?? []).ToHashSet());

    private static BackfilledPlace Place(int place, params (string Row, double Change)[] rows) =>
        new(place, rows.ToDictionary(row => row.Row, row => (row.Change, 0.01)));
}
