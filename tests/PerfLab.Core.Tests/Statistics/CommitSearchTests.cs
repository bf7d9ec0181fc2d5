using PerfLab.Core.Trends;

namespace PerfLab.Core.Tests.Statistics;

/// <summary>The search for a commit, without a machine: evidence in, the next question or the answer out.</summary>
public sealed class CommitSearchTests
{
    private static readonly SoughtChange FivePercent = new(0.05, 0.02);

    /// <summary>Fixed "noise" with a spread of about 2 %, different for each commit and round.</summary>
    private static double[] Rounds(int commit, int rounds, double level) =>
        [.. Enumerable.Range(0, rounds).Select(round => level + (0.02 * Math.Sin((commit * 37.7) + (round * 2.1))))];

    private static CommitEvidence[] Line(int commits) => [.. Enumerable.Repeat(new CommitEvidence(), commits)];

    /// <summary>Asks until it is sure; throws when it never is.</summary>
    private static ((int Good, int Bad) Found, List<int> Asked) Search(CommitEvidence[] line, Func<int, double> level, Func<int, bool>? builds = null)
    {
        var asked = new List<int>();
        while (asked.Count < 200)
        {
            var search = new CommitSearch(FivePercent, line);
            if (search.Found is { } found)
            {
                return (found, asked);
            }

            var next = search.Next(_ => 1).ShouldNotBeNull();
            asked.Add(next);
            line[next] = builds?.Invoke(next) == false ? line[next] with { IsUntestable = true }
                : line[next] with { Differences = [.. line[next].Differences, .. Rounds(next, FivePercent.RoundsOfAProbe, level(next))] };
        }

        throw new InvalidOperationException("not sure after 200 probes");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(64)]
    [InlineData(90)]
    [InlineData(127)]
    [InlineData(128)]
    public void the_culprit_among_128_commits_is_found_in_about_as_many_probes_as_halving_takes(int culprit)
    {
        var (found, asked) = Search(Line(129), commit => commit >= culprit ? 0.05 : 0);

        found.ShouldBe((culprit - 1, culprit));
        asked.Count.ShouldBeLessThan(20);
    }

    [Fact]
    public void one_that_became_faster_is_found_the_same_way()
    {
        var line = Line(33);
        var faster = new SoughtChange(-0.05, 0.02);
        foreach (var commit in Enumerable.Range(1, 31))
        {
            line[commit] = new() { Differences = Rounds(commit, 6, commit >= 9 ? -0.05 : 0) };
        }

        new CommitSearch(faster, line).Found.ShouldBe((8, 9));
    }

    [Fact]
    public void thirty_commits_in_a_row_that_do_not_build_stay_together_as_one_answer_when_the_culprit_is_among_them()
    {
        // 60 commits; 15 to 44 do not build.
        var (found, asked) = Search(Line(61), commit => commit >= 30 ? 0.05 : 0, commit => commit is < 15 or > 44);

        found.ShouldBe((14, 45));
        // Each could have been the one that builds; none is tried twice.
        asked.Where(commit => commit is >= 15 and <= 44).ShouldBeUnique();
    }

    [Theory]
    [InlineData(7)]
    [InlineData(52)]
    public void thirty_commits_in_a_row_that_do_not_build_cost_few_builds_when_the_culprit_is_elsewhere(int culprit)
    {
        var (found, asked) = Search(Line(61), commit => commit >= culprit ? 0.05 : 0, commit => commit is < 15 or > 44);

        found.ShouldBe((culprit - 1, culprit));
        asked.Count(commit => commit is >= 15 and <= 44).ShouldBeLessThan(5);
    }

    [Fact]
    public void next_to_a_commit_that_does_not_build_others_are_tried_later()
    {
        var line = Line(101);
        var middle = new CommitSearch(FivePercent, line).Next(_ => 1)!.Value;
        line[middle] = new() { IsUntestable = true };

        Math.Abs(new CommitSearch(FivePercent, line).Next(_ => 1)!.Value - middle).ShouldBeGreaterThan(3);
    }

    [Fact]
    public void a_commit_that_is_built_is_asked_before_a_better_one_that_is_not() =>
        new CommitSearch(FivePercent, Line(101)).Next(commit => commit == 40 ? 5 : 60).ShouldBe(40);

    [Fact]
    public void one_round_with_an_outlier_decides_nothing()
    {
        var line = Line(3);
        line[1] = new() { Differences = [0, 0.001, -0.001, 0.002, 0.9, -0.002] };

        new CommitSearch(FivePercent, line).Found.ShouldBe((1, 2));
    }

    [Fact]
    public void a_culprit_that_does_not_differ_from_the_commit_before_it_is_given_up_and_the_search_goes_on()
    {
        // Commit 25 had three bad rounds; the culprit is one of those after it.
        var line = Line(41);
        line[24] = new() { Differences = Rounds(24, 6, 0) };
        line[25] = new() { Differences = Rounds(25, 3, 0.05) };
        line[30] = new() { Differences = Rounds(30, 6, 0.05) };
        new CommitSearch(FivePercent, line).Found.ShouldBe((24, 25));

        StepEvidence[] nothing = [new(24, 25, Rounds(7, 20, 0))];
        var search = new CommitSearch(FivePercent, line, nothing);

        search.Found.ShouldBeNull();
        search.Probabilities[25].ShouldBeLessThan(0.05);
        search.Next(_ => 1)!.Value.ShouldBeInRange(25, 30);
        new CommitSearch(FivePercent, line, [new(24, 25, Rounds(7, 20, 0.05))]).Found.ShouldBe((24, 25));
    }

    [Fact]
    public void a_step_over_commits_that_can_not_be_tested_speaks_for_all_of_them()
    {
        var line = Line(6);
        line[2] = line[3] = new() { IsUntestable = true };

        var search = new CommitSearch(FivePercent, line, [new(1, 4, Rounds(3, 20, 0.05))]);

        search.Found.ShouldBe((1, 4));
        search.Probabilities[2].ShouldBe(search.Probabilities[4], 1e-12);
        search.Probabilities[1].ShouldBeLessThan(1e-6);
    }

    [Fact]
    public void bits_that_are_those_of_an_end_need_no_launch()
    {
        var line = Line(4);
        line[0] = line[1] = new() { Build = "good" };
        line[2] = line[3] = new() { Build = "bad" };

        var search = new CommitSearch(FivePercent, line);

        search.Found.ShouldBe((1, 2));
        search.Next(_ => 1).ShouldBeNull();
    }

    [Fact]
    public void where_nothing_between_can_be_tested_the_answer_is_all_of_it_and_nothing_is_asked()
    {
        var line = Line(32);
        for (var commit = 1; commit < 31; commit++)
        {
            line[commit] = new() { IsUntestable = true };
        }

        var search = new CommitSearch(FivePercent, line);

        search.Found.ShouldBe((0, 31));
        search.Next(_ => 1).ShouldBeNull();
    }

    [Fact]
    public void two_neighbours_need_no_probe() => new CommitSearch(FivePercent, Line(2)).Found.ShouldBe((0, 1));

    [Fact]
    public void a_commit_between_good_and_bad_tells_that_there_are_two_culprits()
    {
        var line = Line(9);
        line[4] = new() { Differences = Rounds(4, 20, 0.05) };
        CommitSearch.Between(Rounds(8, 20, 0.10), line, 0.01).ShouldBe(4);

        CommitSearch.Between(Rounds(8, 20, 0.05), line, 0.01).ShouldBeNull("it is as bad as bad");
        CommitSearch.Between(Rounds(8, 20, 0.08), line, 0.01).ShouldBeNull("how bad bad is, is not known that well");
        line[4] = new() { Differences = Rounds(4, 12, 0.05) };
        CommitSearch.Between(Rounds(8, 20, 0.10), line, 0.01).ShouldBeNull("too few rounds say nothing");
    }

    [Fact]
    public void of_two_culprits_that_made_it_faster_the_one_between_is_seen_as_well()
    {
        var line = Line(9);
        line[4] = new() { Differences = Rounds(4, 20, -0.05) };
        CommitSearch.Between(Rounds(8, 20, -0.10), line, 0.01).ShouldBe(4);
    }

    [Fact]
    public void two_commits_of_the_same_bits_have_no_culprit_between_them()
    {
        // Commit 25 had three bad rounds and builds what 24 builds: what it brought is in its docs.
        var line = Line(41);
        line[24] = new() { Differences = Rounds(24, 6, 0), Build = "one" };
        line[25] = new() { Differences = Rounds(25, 3, 0.05), Build = "one" };

        var search = new CommitSearch(FivePercent, line);

        search.Found.ShouldBeNull();
        search.Probabilities[25].ShouldBeLessThan(1e-6);
        search.Next(_ => 1).ShouldNotBeNull("24 and 25 differ in nothing, and either may still be measured");
    }

    [Fact]
    public void bits_that_came_and_went_leave_it_open_which_time_it_was_and_nothing_to_ask()
    {
        var line = Line(4);
        line[0] = line[2] = new() { Build = "good" };
        line[1] = line[3] = new() { Build = "bad" };

        var search = new CommitSearch(FivePercent, line);

        search.Found.ShouldBeNull();
        search.Probabilities[1].ShouldBe(search.Probabilities[3], 1e-12);
        search.Probabilities[2].ShouldBeLessThan(1e-6);
        search.Next(_ => 1).ShouldBeNull();
    }

    [Fact]
    public void probes_are_short_where_the_change_is_large_and_long_where_it_drowns()
    {
        new SoughtChange(0.5, 0.02).RoundsOfAProbe.ShouldBe(3);
        new SoughtChange(0.05, 0.05).RoundsOfAProbe.ShouldBe(6);
        new SoughtChange(0.01, 0.05).RoundsOfAProbe.ShouldBe(20);
        new SoughtChange(0.05, 0).RoundsOfAProbe.ShouldBe(3);
    }

    [Fact]
    public void probabilities_are_shares_of_one_and_good_is_never_the_culprit()
    {
        var line = Line(10);
        line[5] = new() { Differences = Rounds(5, 3, 0.05) };

        var search = new CommitSearch(FivePercent, line);

        search.Probabilities.Sum().ShouldBe(1, 1e-12);
        search.Probabilities[0].ShouldBe(0);
        search.Probabilities[3].ShouldBeGreaterThan(search.Probabilities[7]);
    }
}
