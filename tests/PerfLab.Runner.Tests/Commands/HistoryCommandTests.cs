using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Trends;
using PerfLab.Runner.Tests.History;

namespace PerfLab.Runner.Tests.Commands;

public sealed class HistoryCommandTests : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task every_run_is_kept_and_an_aa_run_counts_in_its_own_report()
    {
        Nightly.Only("20 seconds");
        var (_, first, _) = await _lab.RunAsync("run behaving --base time=100 --head time=105 --rounds 0+13 --executor process");
        first.ShouldContain("A/A: not yet measured.");
        var (_, second, error) = await _lab.RunAsync("run behaving --aa --rounds 0+13 --executor process --out aa");
        second.ShouldContain("A/A: 0 false flags in 1 run (true rate between 0");
        error.ShouldNotContain("not kept");
        Comparison.File.Read(await File.ReadAllTextAsync(Path.Combine(_lab.Root, "aa", "comparison.json"))).Value!.FalseFlags.ShouldBe(FalseFlags.Of(0, 1));
        (await _lab.RunAsync("compare aa/samples.ndjson --plan aa/plan.json --json")).Out.ShouldBe(await File.ReadAllTextAsync(Path.Combine(_lab.Root, "aa", "comparison.json")));

        var (code, list, _) = await _lab.RunAsync("history list");
        code.ShouldBe(0);
        list.Split('\n').Length.ShouldBe(3);
        list.ShouldContain("comparison");
        list.ShouldContain("  aa  ");
        (await _lab.RunAsync("history list --json")).Out.ShouldContain("\"kind\":\"aa\"");
        (await _lab.RunAsync("history import .perf-lab/sessions aa")).Out.ShouldBe("0 sessions added, 0 replaced by longer ones, 2 were there; 0 samples\n");
        (await _lab.RunAsync("history export data")).Out.ShouldBe("2 sessions written\n");
        (await _lab.RunAsync("history prune --keep 1")).Out.ShouldBe("1 session removed, 1 kept\n");
        foreach (var nothing in new[] { "0", "0d" })
        {
            var refused = await _lab.RunAsync($"history prune --keep {nothing}");
            refused.Code.ShouldBe(Core.Model.ExitCode.WrongUse);
            refused.Error.ShouldContain($"'{nothing}' keeps no session at all");
        }


        (await _lab.RunAsync("history import data")).Out.ShouldStartWith("1 session added, ");
        (await _lab.RunAsync("history prune --keep 36500d")).Out.ShouldBe("0 sessions removed, 2 kept\n");
    }

    [Fact]
    public async Task another_policy_is_replayed_over_what_is_kept_and_changes_nothing()
    {
        Nightly.Only("30 seconds");
        var (code, _, error) = await _lab.RunAsync("run behaving --base time=100 --head time=105 --rounds 0+13 --executor process --out slower");
        code.ShouldBe(0, error);
        var kept = (await _lab.RunAsync("history list --json")).Out;
        (await _lab.RunAsync("history replay --margin 10")).Out.ShouldBe(
            "1 session, 1 row with a verdict; 1 row would come out otherwise\n"
            + "                     as kept  replayed\n"
            + "  regressed                1         0\n"
            + "  unchanged                0         1\n"
            + "  slower  behaving, c001, head: regressed -> unchanged (+5.0 %)\n");
        (await _lab.RunAsync("run behaving --base time=100 --head time=105 --rounds 0+20 --executor process --out longer")).Code.ShouldBe(0);
        (await _lab.RunAsync("history replay --rounds 13 --too-noisy 1")).Out.ShouldStartWith("2 sessions, 2 rows with a verdict; 0 rows would come out otherwise\n");
        (await _lab.RunAsync("history replay --rounds 13 --family-error 0.001")).Out.ShouldContain("  longer  behaving, c001, head: regressed -> undecided (+5.0 %)");
        kept = (await _lab.RunAsync("history list --json")).Out;
        (await _lab.RunAsync("history replay --rounds 99 --margin 1")).Out.ShouldContain("0 rows would come out otherwise");
        (await _lab.RunAsync("history list --json")).Out.ShouldBe(kept);
    }

    [Theory]
    [InlineData("", "needs a policy that differs")]
    [InlineData("--margin 0", "--margin is more than 0 and at most 100 percent.")]
    [InlineData("--margin NaN", "--margin is more than 0 and at most 100 percent.")]
    [InlineData("--family-error 101", "--family-error is more than 0 and at most 100 percent.")]
    [InlineData("--rounds 12", "--rounds is at least 13: fewer give no verdict.")]
    [InlineData("--rounds many", "many")]
    public async Task a_policy_that_is_none_is_refused(string arguments, string said)
    {
        var (code, _, error) = await _lab.RunAsync($"history replay {arguments}");
        code.ShouldBe(Core.Model.ExitCode.WrongUse);
        error.ShouldContain(said);
    }

    [Fact]
    public async Task an_accepted_regression_is_shown_with_its_reason_and_fails_no_build()
    {
        var (code, _, error) = await _lab.RunAsync("run behaving --base time=100 --head time=105 --rounds 0+13 --executor process --out s --fail-on regression");
        code.ShouldBe(Core.Model.ExitCode.Regressed, error);
        (await _lab.RunAsync("history accept s")).Error.ShouldContain("--because");
        (await _lab.RunAsync("history accept nothing --because why")).Error.ShouldContain("history list");
        (await _lab.RunAsync("history accept s --because agreed")).Out.ShouldBe("accepted in 1 series\n");
        var (again, report, _) = await _lab.RunAsync("compare s/samples.ndjson --plan s/plan.json --fail-on regression");
        again.ShouldBe(0);
        report.ShouldMatch(@" is [0-9.]+( %|x) slower");
        report.ShouldContain("known, and accepted on ");
        (await _lab.RunAsync("history accept s --undo")).Out.ShouldBe("the change is reported again in 1 series\n");
        (await _lab.RunAsync("compare s/samples.ndjson --plan s/plan.json --fail-on regression")).Code.ShouldBe(Core.Model.ExitCode.Regressed);
    }

    [Fact]
    public async Task a_history_that_can_not_be_written_costs_no_result()
    {
        Nightly.Only("15 seconds");
        Directory.CreateDirectory(Path.Combine(_lab.Root, ".perf-lab", "history.db"));
        var (code, output, error) = await _lab.RunAsync("run behaving --base time=100 --head time=105 --rounds 0+13 --executor process");
        code.ShouldBe(0, error);
        output.ShouldMatch(@" is [0-9.]+( %|x) slower");
        error.ShouldContain("the history was not read: opening the history");
        (await _lab.RunAsync("history list")).Code.ShouldBe(1);
    }

    [Fact]
    public async Task a_lab_that_keeps_nothing_has_no_history_file()
    {
        Nightly.Only("10 seconds");
        await File.AppendAllTextAsync(Path.Combine(_lab.Root, "perf-lab.yaml"), "history: { keep-runs: false }\n");
        (await _lab.RunAsync("run behaving --aa --rounds 0+5 --executor process --out aa")).Out.ShouldContain("not yet measured");
        (await _lab.RunAsync("compare aa/samples.ndjson")).Code.ShouldBe(0);
        File.Exists(Path.Combine(_lab.Root, ".perf-lab", "history.db")).ShouldBeFalse();
    }

    [Fact]
    public async Task a_variable_that_is_not_set_is_named()
    {
        await File.AppendAllTextAsync(Path.Combine(_lab.Root, "perf-lab.yaml"), "history: { postgres-from: PERF_LAB_NO_SUCH_VARIABLE }\n");
        var (code, _, error) = await _lab.RunAsync("history list");
        (code, error.Contains("PERF_LAB_NO_SUCH_VARIABLE") && error.Contains("to do:")).ShouldBe((1, true), error);
    }

    [Fact]
    public async Task bad_journals_are_named_and_the_exit_code_says_so()
    {
        await File.WriteAllTextAsync(Path.Combine(_lab.Root, "bad\u001b[31m.ndjson"), "nothing");
        var (code, output, error) = await _lab.RunAsync("history import .");
        (code, output).ShouldBe((1, "0 sessions added, 0 replaced by longer ones, 0 were there; 0 samples\n"));
        error.ShouldContain("not kept: ");
        error.ShouldNotContain("\u001b");
    }

    [Fact]
    public async Task a_trend_of_sessions_against_an_anchor_is_found_confirmed_and_said()
    {
        (await _lab.RunAsync("trend")).Out.ShouldContain("./perf-lab run SUITE --anchor source=OLD-COMMIT");
        var folder = Directory.CreateDirectory(Path.Combine(_lab.Root, "data")).FullName;
        for (var day = 0; day < 16; day++)
        {
            await File.WriteAllBytesAsync(Path.Combine(folder, $"{day}.ndjson"), Journals.Trend($"t{day:00}", $"{day:x7}", (0.0001 * (day * 7 % 5)) + (day >= 10 ? 0.05 : 0), day));
        }

        (await _lab.RunAsync("history import data")).Code.ShouldBe(0);
        (await _lab.RunAsync("trend")).Out.ShouldContain("confirm: ./perf-lab run some-workload --base source=0000008 --head source=000000b");
        await File.WriteAllBytesAsync(Path.Combine(folder, "e.ndjson"), Journals.Of("e", slower: 0.05, day: 20, arms: [("base", "0000008"), ("head", "000000b")]));
        await _lab.RunAsync("history import data");
        var (_, json, _) = await _lab.RunAsync("trend --json");
        TrendState.File.Read(json).Value!.Changes.ShouldHaveSingleItem().Status.ShouldBe(ChangeStatus.Confirmed);
        (await _lab.RunAsync("trend --json")).Out.ShouldBe(json);
        (await _lab.RunAsync("trend --forget --json")).Out.ShouldContain("\"looks\": 1");
    }

    [Fact]
    public async Task a_session_against_an_anchor_is_a_point_of_the_trend()
    {
        Nightly.Only("10 seconds");
        var (code, _, error) = await _lab.RunAsync("run behaving --anchor time=100 --next-anchor time=102 --head time=105 --rounds 0+13 --executor process");
        code.ShouldBe(0, error);
        (await _lab.RunAsync("history list")).Out.ShouldContain("  trend  ");
        (await _lab.RunAsync("trend")).Out.ShouldContain("trend: 1 series, 1 sessions");
    }
}
