using PerfLab.Core.Trends;
using PerfLab.Runner.Commits;

namespace PerfLab.Runner.Tests.Commits;

/// <summary>Which places of a past are told, and how sure they are.</summary>
public sealed class BackfillTextTests
{
    private static readonly IReadOnlyList<PastCommit> Line = [.. Enumerable.Range(0, 10).Select(place => new PastCommit(
        FormattableString.Invariant($"{place:d40}"), $"Commit {place} | <b>", new(2026, 1, 1 + place, 0, 0, 0, TimeSpan.Zero), place == 4 ? ["v1.1"] : []))];

    [Fact]
    public void a_place_that_the_builds_prove_is_told_whatever_its_size()
    {
        var text = Of(At(0, 0, "a", half: 0), At(3, 0, "a", half: 0), At(4, 0.05, "b"), At(7, 0.05, "b"), At(8, 0.052, "c"), At(9, 0.052, "c"));

        text.ShouldContain("Parse: 5.1 % slower at 000000000000 (2026-01-05, v1.1) Commit 4 | <b>");
        text.ShouldContain("Parse: 0.2 % slower, within noise, at 000000000000 (2026-01-09) Commit 8");
        text.Split("confirm: ").Length.ShouldBe(3);
        text.ShouldContain("./perf-lab run bench/A.csproj --base source=000000000000 --head source=000000000000 --rounds 0+28");
    }

    [Fact]
    public void where_builds_can_not_be_told_apart_only_what_is_beyond_chance_is_told()
    {
        var text = Of(At(0, 0, "a", half: 0), At(1, 0.002, "b"), At(2, 0.001, "c"), At(5, -0.06, "d"), At(6, -0.061, "e"));

        text.ShouldContain("Parse: 5.9 % faster in one of 3 commits up to ");
        text.Split("confirm: ").Length.ShouldBe(2);
    }

    [Fact]
    public void a_gap_that_nobody_looked_into_is_told_only_for_a_step()
    {
        Of(At(0, 0, "a", half: 0), At(2, 0, "a", half: 0), At(6, 0.004, "b")).ShouldBe("no step between the commits that have values\n\n");
        Of(At(0, 0, "a", half: 0)).ShouldBe("no step between the commits that have values\n\n");
        Of().ShouldBe("no step between the commits that have values\n\n");
    }

    private static string Of(params BackfilledPlace[] known) => BackfillText.Of(Line, known, "bench/A.csproj");

    private static BackfilledPlace At(int place, double change, string runs, double half = 0.005) => new(
        place, place == 0 ? new Dictionary<string, (double, double)>() : new Dictionary<string, (double, double)> { ["Parse"] = (change, half) }, runs);
}
