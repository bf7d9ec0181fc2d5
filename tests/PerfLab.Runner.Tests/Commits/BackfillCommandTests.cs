using PerfLab.History;
using PerfLab.Runner.Commits;

namespace PerfLab.Runner.Tests.Commits;

/// <summary>`trend backfill` over a real repository of commits that say how slow they are: real builds, launches, journals, history.</summary>
public sealed class BackfillCommandTests : IDisposable
{
    private const string Backfill = "trend backfill behaving --executor process --rounds 0+13";

    private readonly CommittedLab _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task steps_of_the_past_are_in_the_trend_in_the_order_of_the_commits()
    {
        Nightly.Only("45 seconds");
        var ids = new List<string> { _lab.Id("HEAD") };
        for (var commit = 1; commit <= 16; commit++)
        {
            _lab.Commit($"Commit {commit}", commit >= 9 ? 106 : 100);
            ids.Add(_lab.Id("HEAD"));
        }

        var (code, output, error) = await _lab.RunAsync($"{Backfill} --since begin --points 16");

        code.ShouldBe(0, error);
        error.ShouldContain("16 commits after " + ids[0][..12]);
        error.ShouldContain("commits in the history: 16; that run what another one runs: 0; left out: 0");
        using (var store = HistoryStore.Open(new(_lab.At(".perf-lab/history.db"))))
        {
            var points = store.TrendSeries().ShouldHaveSingleItem().Points;
            points.Select(point => point.Commit).ShouldBe(ids.Skip(1).Select(id => id[..12]));
            points.Select(point => point.Started).ShouldBe(points.Select(point => point.Started).Order());
            points.ShouldAllBe(point => Math.Abs(Math.Exp(point.Change) - (ids.FindIndex(id => id.StartsWith(point.Commit!, StringComparison.Ordinal)) >= 9 ? 1.06 : 1)) < 0.001);
        }

        output.ShouldContain($"behaving: 6.0 % slower at {ids[9][..12]} (");
        output.ShouldContain($"--base source={ids[8][..12]} --head source={ids[9][..12]} --rounds 0+28");
        output.ShouldContain($"between {ids[7][..12]} (", customMessage: "one further out on each side");
        output.ShouldContain($"and {ids[10][..12]} (");

        // Nothing is measured twice, and the trend says the same.
        var (again, same, said) = await _lab.RunAsync($"{Backfill} --since begin --points 16");
        again.ShouldBe(0, said);
        said.ShouldNotContain("point ");
    }

    [Fact]
    public async Task a_commit_that_does_not_build_is_left_out_and_named_and_a_cut_point_is_measured_anew()
    {
        Nightly.Only("a minute");
        _lab.Commit("One", 101);
        _lab.Lose("Lose the workload");
        var lost = _lab.Id("HEAD");
        _lab.Commit("Three", 103);
        var third = _lab.Id("HEAD");

        var (code, _, error) = await _lab.RunAsync($"{Backfill} --since begin");
        code.ShouldBe(0, error);
        error.ShouldContain("commits in the history: 2; that run what another one runs: 0; left out: 1");
        error.ShouldContain($"left out {lost[..12]}: ");

        // As if it had been killed in the middle of a point: no word of it in the file, half a journal beside it.
        var folder = Directory.GetDirectories(_lab.At(".perf-lab/backfills")).ShouldHaveSingleItem();
        var known = Path.Combine(folder, "backfill.json");
        var file = BackfillFile.File.Read(await File.ReadAllTextAsync(known)).Value!;
        await File.WriteAllTextAsync(known, BackfillFile.File.Write(file with { Commits = [.. file.Commits.Where(commit => commit.Id != third)] }));
        var journal = Path.Combine(folder, $"{third[..12]}-{Path.GetFileName(folder)}", "samples.ndjson");
        var cut = await File.ReadAllLinesAsync(journal);
        await File.WriteAllLinesAsync(journal, cut[..^2]);

        (code, _, error) = await _lab.RunAsync($"{Backfill} --since begin");
        code.ShouldBe(0, error);
        error.ShouldContain("point 2 of 40: " + third[..12]);
        error.ShouldNotContain($"of 40: {lost[..12]}");
        (await File.ReadAllLinesAsync(journal)).Intersect(cut[1..^2]).ShouldBeEmpty();
        BackfillFile.File.Read(await File.ReadAllTextAsync(known)).Value!.Commits.Select(commit => commit.Outcome)
            .ShouldBe([BackfillOutcome.Measured, BackfillOutcome.LeftOut, BackfillOutcome.Measured]);

        if (!Nightly.IsAsked)
        {
            return;
        }

        // Other rounds are another request about the same commits: its sessions stand beside those.
        (code, _, error) = await _lab.RunAsync($"{Backfill.Replace("0+13", "0+14", StringComparison.Ordinal)} --since begin");
        code.ShouldBe(0, error);
        error.ShouldNotContain("was not kept");
    }

    [Fact]
    public async Task a_commit_that_builds_what_a_neighbour_builds_is_not_measured()
    {
        Nightly.Only("10 seconds");
        _lab.Commit("One", 101);
        File.WriteAllText(_lab.At("notes.txt"), "nothing that is built");
        _lab.Git("add", "--all");
        _lab.Git("commit", "--quiet", "--message", "Note");

        var (code, _, error) = await _lab.RunAsync($"{Backfill} --since begin");

        code.ShouldBe(0, error);
        error.ShouldContain("commits in the history: 1; that run what another one runs: 1; left out: 0");
    }

    [Fact]
    public async Task a_tag_beside_the_line_of_first_parents_is_named_as_left_out()
    {
        Nightly.Only("20 seconds");
        _lab.Git("checkout", "--quiet", "-b", "side");
        _lab.Commit("On a side branch", 100.5);
        _lab.Git("tag", "v0.9.1");
        _lab.Git("checkout", "--quiet", "main");
        _lab.Commit("On main", 101);

        var (code, _, error) = await _lab.RunAsync($"{Backfill} --since begin --points 1");

        code.ShouldBe(0, error);
        error.ShouldContain("left out, not on the line of first parents: v0.9.1");
    }

    [Theory]
    [InlineData("", "--since: is not given")]
    [InlineData("--since v9", "--since: 'v9' is no branch, tag or commit here")]
    [InlineData("--since main", "--since: is the same commit")]
    [InlineData("--since begin --points 0", "--points: 0 is not from 1 to 1000")]
    [InlineData("--since begin --points 1001", "--points: 1001 is not from 1 to 1000")]
    [InlineData("--since begin --minutes 0", "--minutes: 0 is not from 1")]
    public async Task what_is_wrong_is_said_before_anything_is_built(string asked, string what)
    {
        var (code, _, error) = await _lab.RunAsync($"{Backfill} {asked}".TrimEnd());
        code.ShouldBe(2);
        error.ShouldContain(what);
        Directory.Exists(_lab.At(".perf-lab/backfills")).ShouldBeFalse();
    }

    [Fact]
    public async Task a_shallow_clone_says_what_to_fetch()
    {
        _lab.Commit("One", 101);
        _lab.Commit("Two", 102);
        var begin = _lab.Id("begin");
        await File.WriteAllTextAsync(_lab.At(".git/shallow"), _lab.Id("HEAD~1") + "\n");

        var (code, _, error) = await _lab.RunAsync($"{Backfill} --since {begin}");

        code.ShouldBe(2);
        error.ShouldContain("git fetch --unshallow");
    }
}
