using PerfLab.Runner.Commits;
using PerfLab.Runner.Flow;

namespace PerfLab.Runner.Tests.Commits;

/// <summary>How a search ends where it is not a commit in the middle that made everything slower.</summary>
public sealed class BisectEndingsTests : IDisposable
{
    private const string Search = "bisect behaving --executor process --seed 7 --out search --good begin";

    private readonly CommittedLab _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task what_made_it_faster_is_found_the_same_way_and_a_commit_whose_launches_fail_is_left_out()
    {
        Nightly.Only("30 seconds");
        _lab.Commit("Dies", "broken");
        _lab.Commit("Culprit", 95);
        _lab.Commit("After it", 95);
        _lab.Commit("Dies again", "broken");
        _lab.Commit("At the end", 95);

        var (code, output, error) = await _lab.RunAsync(Search);

        code.ShouldBe(0, error);
        output.ShouldContain($"one of 2 commits up to {_lab.Id("main~3")[..12]} made it 5.0 % faster: those between can't be tested");
        var asked = _lab.Searched().Probes.Where(probe => probe.Kind == ProbeKind.Search).Select(probe => probe.Commit).ToList();
        asked.Count(commit => commit is 1 or 4).ShouldBeLessThanOrEqualTo(2, "a commit that can't be launched is asked once");
    }

    /// <summary>By day this is the one whole search: the ends, a commit between them, and what confirms it.</summary>
    [Fact]
    public async Task bits_that_are_those_of_good_are_not_launched()
    {
        Nightly.Only("25 seconds");
        foreach (var note in (string[])["One", "Two", "Three"])
        {
            File.WriteAllText(_lab.At("notes.txt"), note);
            _lab.Git("add", "--all");
            _lab.Git("commit", "--quiet", "--message", note);
        }

        _lab.Commit("Culprit", 105);
        _lab.Commit("After it", 105);

        var (code, output, error) = await _lab.RunAsync(Search);

        code.ShouldBe(0, error);
        output.ShouldContain($"{_lab.Id("main~1")[..12]} made it 5.0 % slower");
        _lab.Searched().Probes.ShouldAllBe(probe => probe.Commit == 4 || probe.Commit == 5);
        error.ShouldContain(" builds the same bits as good or bad: nothing to measure");
    }

    [Fact]
    public async Task good_and_bad_that_were_still_warming_up_name_no_commit_however_far_apart_they_are()
    {
        Nightly.Only("15 seconds");
        _lab.Commit("Before it", 100);
        _lab.Commit("Compiles", "200", """{"rest":{"atRest":false,"seconds":11,"least":1,"bound":11,"why":"compiling"}}""");

        var (code, output, error) = await _lab.RunAsync(Search + " --warm-up 0.5");

        code.ShouldBe(4, error);
        output.ShouldContain("Whether good and bad differ could not be told: "
            + "their programs were still warming up when they were measured and never came to rest");
        output.ShouldNotContain(_lab.Id("main~1")[..12]);
        (_lab.Searched().Outcome, _lab.Searched().WarmUpSeconds).ShouldBe((BisectOutcome.Unclear, 0.5));
        PlanStep.Read(_lab.At("search/probe-001/plan.json")).Cells.ShouldAllBe(cell => cell.Launch.WarmUpSeconds == 0.5);
    }

    [Fact]
    public async Task a_single_commit_is_named_by_the_first_probe()
    {
        Nightly.Only("15 seconds");
        _lab.Commit("Culprit", 105);

        var (code, output, error) = await _lab.RunAsync(Search);

        code.ShouldBe(0, error);
        output.ShouldContain($"{_lab.Id("main")[..12]} made it 5.0 % slower");
        output.ShouldContain("the last good one, as above");
        _lab.Searched().Probes.Count.ShouldBe(1);
    }

    [Fact]
    public async Task where_noise_hides_whether_the_two_differ_nobody_says_that_they_do_not()
    {
        Nightly.Only("15 seconds");
        // Opposite answers to the same draw: plus or minus a tenth.
        _lab.Commit("Begin anew", "$((90 + ${#PERF_LAB_PAD} * 20 / 4096))");
        _lab.Git("tag", "--force", "begin");
        _lab.Commit("Turn it round", "$((110 - ${#PERF_LAB_PAD} * 20 / 4096))");

        var (code, output, error) = await _lab.RunAsync(Search);

        code.ShouldBe(4, error);
        output.ShouldContain("Whether good and bad differ could not be told (could have seen ");
        output.ShouldNotContain("No difference");
    }

    [Theory]
    [InlineData("broken")]
    [NightlyData("$([ ${#PERF_LAB_PAD} -gt 2500 ] && echo broken || echo 130)")]
    public async Task ends_that_do_not_run_are_an_error_however_often_one_asks(string time)
    {
        _lab.Commit("Dies", time);

        foreach (var arguments in Nightly.IsAsked ? [Search, "bisect --resume search"] : new[] { Search })
        {
            var (code, output, error) = await _lab.RunAsync(arguments);
            code.ShouldBe(1, error);
            output.ShouldBeEmpty();
            error.ShouldContain("both must run");
        }
    }

    [Fact]
    public async Task an_exact_metric_needs_no_search()
    {
        _lab.Commit("More", 105);
        var manifest = _lab.At("workloads/behaving/workload.yaml");
        File.WriteAllText(manifest, (await File.ReadAllTextAsync(manifest)).Replace("primary: true", "primary: true, kind: exact", StringComparison.Ordinal));

        var (code, _, error) = await _lab.RunAsync(Search);

        code.ShouldBe(2, error);
        error.ShouldContain("its primary metric is exact");
    }
}
