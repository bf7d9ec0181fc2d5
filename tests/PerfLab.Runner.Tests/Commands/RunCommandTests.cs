using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>The whole program against real processes; what they report is fixed, so the verdict is known.</summary>
public sealed class RunCommandTests : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task a_slow_down_is_called_regressed_with_its_size_and_all_files_are_there()
    {
        var (code, output, error) = await _lab.RunAsync("run behaving --base time=100 --head time=105 --rounds 0+13 --executor process --out session --seed 7");
        code.ShouldBe(0, error);
        output.ShouldMatch(@" is [0-9.]+( %|x) slower");
        output.ShouldContain("+5.0 %");
        output.ShouldContain("5.0 % slower");
        output.ShouldContain("./perf-lab run behaving --base time=100 --head time=105");
        Directory.EnumerateFiles(Path.Combine(_lab.Root, "session")).Select(Path.GetFileName)
            .ShouldBe(["builds.json", "comparison.json", "lock", "plan.json", "report.html", "report.md", "rounds-c001-head.svg", "samples.ndjson"], ignoreOrder: true);
    }

    [Fact]
    public async Task sessions_measure_what_was_flagged_again_and_the_report_shows_each()
    {
        Nightly.Only("15 seconds");
        _lab.Clock = new Unhurried();
        var (code, output, error) = await _lab.RunAsync(
            "run behaving --base time=100 --head time=105 --rounds 0+13 --sessions 2 --executor process --out session --seed 7");
        code.ShouldBe(0, error);
        output.ShouldContain("5.0 % slower, in 2 of 2 sessions");
        output.ShouldContain("Measured again, minutes later:");
        output.ShouldContain("session 1: +5.0 % [+5.0, +5.0]; session 2: +5.0 % [+5.0, +5.0]");
        output.ShouldContain("--rounds 0+13 --sessions 2 --seed 7");
        error.ShouldContain("0+13 rounds, what is flagged up to 2 times, 26 to 52 launches");
        var comparison = Comparison.File.Read(await File.ReadAllTextAsync(Path.Combine(_lab.Root, "session", "comparison.json"))).Value!;
        comparison.Cells.Single(row => row.Primary).Sessions!.Count.ShouldBe(2);
        new Schemas.JsonSchemaFile("comparison").Mistakes(Comparison.File.Write(comparison)).ShouldBeEmpty();
        new Schemas.JsonSchemaFile("plan").Mistakes(await File.ReadAllTextAsync(Path.Combine(_lab.Root, "session", "plan.json"))).ShouldBeEmpty();
        (await _lab.RunAsync("compare session/samples.ndjson --plan session/plan.json --fail-on regression")).Code.ShouldBe(3);
    }

    /// <summary>Minutes are over at once.</summary>
    private sealed class Unhurried : TimeProvider
    {
        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            base.CreateTimer(callback, state, dueTime.TotalMinutes >= 1 ? TimeSpan.Zero : dueTime, period);
    }

    [Theory]
    [InlineData("--sessions 0 --base time=100 --head time=105", "0 is out of range. Between 1 and 10.")]
    [InlineData("--sessions 11 --base time=100 --head time=105", "11 is out of range. Between 1 and 10.")]
    [InlineData("--sessions 2", "one arm is compared with nothing")]
    public async Task sessions_that_say_nothing_are_refused(string arguments, string said)
    {
        var (code, _, error) = await _lab.RunAsync($"run behaving {arguments} --executor process");
        code.ShouldBe(2);
        error.ShouldContain(said);
    }

    [Fact]
    public async Task a_sweep_gives_a_curve_as_table_numbers_and_picture()
    {
        Nightly.Only("10 seconds");
        var (code, output, error) = await _lab.RunAsync("run behaving --vary time=100,120,150 --rounds 0+13 --executor process --out session --seed 7");
        code.ShouldBe(0, error);
        output.ShouldContain("reference time=100");
        output.ShouldContain("100 (reference)");
        output.ShouldContain("+50.0 % [+50.0, +50.0]");
        error.ShouldContain("curves.json, curve-behaving-");
        var picture = Directory.EnumerateFiles(Path.Combine(_lab.Root, "session"), "curve-*.svg").ShouldHaveSingleItem();
        (await _lab.RunAsync("report session/comparison.json --format svg")).Out.ShouldBe(await File.ReadAllTextAsync(picture));
        (await _lab.RunAsync("report session/comparison.json --format curves")).Out.ShouldBe(await File.ReadAllTextAsync(Path.Combine(_lab.Root, "session", "curves.json")));
        var (wrong, _, said) = await _lab.RunAsync("report session/comparison.json --format svg --picture curve");
        wrong.ShouldBe(2);
        said.ShouldContain(Path.GetFileNameWithoutExtension(picture));
    }

    [Fact]
    public async Task a_folder_that_holds_a_session_is_refused_and_stays_as_it_is()
    {
        await _lab.AddMeasuredSessionAsync();
        var before = await File.ReadAllTextAsync(Path.Combine(_lab.Root, "session", "plan.json"));

        var (code, _, error) = await _lab.RunAsync("run behaving --base time=100 --head time=120 --rounds 0+13 --executor process --out session");

        code.ShouldBe(1);
        error.ShouldContain("it holds a session already");
        (await File.ReadAllTextAsync(Path.Combine(_lab.Root, "session", "plan.json"))).ShouldBe(before);
    }

    [Fact]
    public async Task a_session_of_two_arms_has_a_picture_of_each_row_and_a_page_while_its_files_are_together()
    {
        Nightly.Only("10 seconds");
        await _lab.AddMeasuredSessionAsync();
        (await _lab.RunAsync("report session/comparison.json --format svg")).Out
            .ShouldBe(await File.ReadAllTextAsync(Path.Combine(_lab.Root, "session", "rounds-c001-head.svg")));
        // What the executor itself says of a run is known to the run alone.
        (await File.ReadAllTextAsync(Path.Combine(_lab.Root, "session", "report.html"))).ShouldContain("<article aria-labelledby=\"row-1\">");
        (await _lab.RunAsync("report session/comparison.json --format html")).Out.ShouldContain("<article aria-labelledby=\"row-1\">");

        File.Delete(Path.Combine(_lab.Root, "session", "samples.ndjson"));
        (await _lab.RunAsync("report session/comparison.json --format svg")).Error.ShouldContain("keep the session's files together");
        (await _lab.RunAsync("report session/comparison.json --format html")).Out.ShouldMatch("<h1>1 regressed, [0-9.]+ % slower</h1>", "who it is, the journal said");
    }

    [Fact]
    public async Task what_explain_left_is_on_the_page_unless_it_lies_elsewhere()
    {
        await _lab.AddMeasuredSessionAsync();
        var folder = Path.Combine(_lab.Root, "session");
        await File.WriteAllTextAsync(Path.Combine(folder, "why-c001-head.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
        (await _lab.RunAsync("report session/comparison.json --format html")).Out.ShouldContain("src=\"data:image/svg+xml;base64,");
        File.Move(Path.Combine(folder, "why-c001-head.svg"), Path.Combine(_lab.Root, "elsewhere.svg"));
        File.CreateSymbolicLink(Path.Combine(folder, "why-c001-head.svg"), Path.Combine(_lab.Root, "elsewhere.svg"));
        (await _lab.RunAsync("report session/comparison.json --format html")).Out.ShouldNotContain("data:image");
    }

    /// <summary>Head is 40 % slower than base, or as much faster, by nothing but the length of what stands in the environment.</summary>
    [Fact]
    public async Task what_only_the_length_of_the_environment_decides_is_never_called()
    {
        Nightly.Only("20 seconds");
        var (code, output, error) = await _lab.RunAsync(
            "run sensitive --base name=short --head name=its-name-is-longer-21 --rounds 0+20 --executor process --out session --seed 7");
        code.ShouldBe(0, error);
        var row = Comparison.File.Read(await File.ReadAllTextAsync(Path.Combine(_lab.Root, "session", "comparison.json"))).Value!.Cells.Single();
        row.Verdict!.Value.ShouldBeOneOf([Verdict.TooNoisy, Verdict.Undecided], output);
        row.AdjustedP!.Value.ShouldBeGreaterThan(0.05, "with one length for all rounds, the sign is the same in each of them");
    }

    [Fact]
    public async Task fail_on_regression_gives_three_only_when_something_regressed()
    {
        Nightly.Only("20 seconds: asked too of a faster head below, and of a slower one by the history");
        (await _lab.RunAsync("run behaving --base time=100 --head time=105 --rounds 0+13 --executor process --fail-on regression")).Code.ShouldBe(3);
        (await _lab.RunAsync("run behaving --base time=105 --head time=100 --rounds 0+13 --executor process --fail-on regression")).Code.ShouldBe(0);
    }

    [Fact]
    public async Task json_prints_the_comparison_and_nothing_else_on_stdout()
    {
        Nightly.Only("10 seconds");
        var (code, output, _) = await _lab.RunAsync("run behaving --base time=100 --head time=100.001 --rounds 0+13 --executor process --json --out session");
        code.ShouldBe(0);
        var comparison = Comparison.File.Read(output).Value!;
        comparison.Summary.Unchanged.ShouldBe(1);
        comparison.Cells.Select(row => row.Name).Distinct().ShouldBe(["behaving"]);
        output.ShouldBe(await File.ReadAllTextAsync(Path.Combine(_lab.Root, "session", "comparison.json")));
    }

    [Fact]
    public async Task every_kind_of_bad_launch_is_named_and_takes_nobody_with_it()
    {
        Nightly.Only("20 seconds");
        string[] bad = ["exit-7", "hang", "ignore-term", "flood", "no-result", "wrong-nonce", "nan", "wrong-unit", "symlink", "fifo", "directory", "out-of-memory", "abort"];
        var (code, output, error) = await _lab.RunAsync($"run behaving --vary behaviour=good,{string.Join(',', bad)} --rounds 0+14 --executor process --out session");
        code.ShouldBe(1, error);
        var comparison = Comparison.File.Read(await File.ReadAllTextAsync(Path.Combine(_lab.Root, "session", "comparison.json"))).Value!;
        comparison.Cells.Select(row => row.Arm).ShouldBe(bad);
        comparison.Cells.ShouldAllBe(row => row.Verdict == Verdict.Failed);
        output.ShouldContain("seven it is");
        string[] said =
        [
            "exit code 7", "timed out", "more than", "no result", "nonce", "not strict JSON", "unit", "is a link", "regular file", "exit code 134",
        ];
        said.ShouldAllBe(text => output.Contains(text), output);
    }

    [Fact]
    public async Task a_failing_arm_makes_the_exit_code_one_even_when_another_regressed()
    {
        Nightly.Only("10 seconds");
        var (code, output, _) = await _lab.RunAsync("run both --base time=100,behaviour=good --head time=105,behaviour=exit-7 --rounds 0+13 --executor process --fail-on regression");
        code.ShouldBe(1);
        output.ShouldContain("2 failed");
    }

    [Fact]
    public async Task one_arm_gives_values_and_noise_without_a_verdict()
    {
        var (code, output, _) = await _lab.RunAsync("run behaving --rounds 0+5 --executor process");
        code.ShouldBe(0);
        output.ShouldContain("100.0 s");
        output.ShouldNotContain("undecided");
        (await _lab.RunAsync("run behaving --set behaviour=exit-7 --rounds 0+5 --executor process")).Code.ShouldBe(1);
    }

    [Fact]
    public async Task aa_launches_identical_arms_and_finds_nothing()
    {
        Nightly.Only("10 seconds");
        var (code, output, _) = await _lab.RunAsync("run behaving --aa --rounds 0+13 --executor process --json");
        code.ShouldBe(0);
        var row = Comparison.File.Read(output).Value!.Cells.Single();
        (row.Verdict, row.Rounds, row.Change).ShouldBe((Verdict.Unchanged, 13, 0.0));
    }

    [Fact]
    public async Task identical_arms_are_not_launched_otherwise()
    {
        var (code, output, _) = await _lab.RunAsync("run behaving --base time=100 --head time=100 --rounds 0+13 --executor process --json");
        code.ShouldBe(0);
        Comparison.File.Read(output).Value!.Summary.IdenticalBuild.ShouldBe(1);
    }

    [Fact]
    public async Task the_steps_one_by_one_give_the_same_answer_as_run()
    {
        var (_, plan, _) = await _lab.RunAsync("plan behaving --base time=100 --head time=105 --rounds 0+13 --seed 7");
        await File.WriteAllTextAsync(Path.Combine(_lab.Root, "plan.json"), plan);
        (await _lab.RunAsync("build plan.json --executor process")).Code.ShouldBe(0);
        (await _lab.RunAsync("measure plan.json --executor process --out session")).Code.ShouldBe(0);
        var (code, output, _) = await _lab.RunAsync("compare session/samples.ndjson --plan plan.json --fail-on regression");
        code.ShouldBe(3);
        output.ShouldMatch(@" is [0-9.]+( %|x) slower");
        var (_, json, _) = await _lab.RunAsync("compare session/samples.ndjson --json");
        await File.WriteAllTextAsync(Path.Combine(_lab.Root, "session", "comparison.json"), json);
        (await _lab.RunAsync("report session/comparison.json --format markdown")).Out.ShouldContain("behaving");
    }

    [Fact]
    public async Task what_perf_lab_keeps_is_not_offered_to_git()
    {
        await _lab.RunAsync("run behaving --rounds 0+2 --executor process");
        (await File.ReadAllTextAsync(Path.Combine(_lab.Root, ".perf-lab", ".gitignore"))).ShouldBe("*\n");
    }

    [Fact]
    public async Task a_second_session_on_the_machine_is_turned_away()
    {
        using (MachineLock.Take(_lab.MachineLock))
        {
            var (code, _, error) = await _lab.RunAsync("run behaving --executor process");
            code.ShouldBe(1);
            error.ShouldContain("machine busy");
        }
    }

    [Fact]
    public async Task a_folder_anywhere_is_a_workload_when_written_with_a_slash()
    {
        Nightly.Only("10 seconds");
        var (code, output, error) = await _lab.RunAsync("run ./workloads/behaving --base time=100 --head time=90 --rounds 0+13 --executor process");
        code.ShouldBe(0, error);
        output.ShouldMatch(@" is [0-9.]+( %|x) faster");
        output.ShouldContain("./perf-lab run behaving --base"); // which is how the lab's own are found
    }

    [Fact]
    public async Task a_workload_outside_the_labs_folders_is_named_by_its_folder_where_the_plan_is_known()
    {
        Nightly.Only("10 seconds");
        Directory.CreateDirectory(Path.Combine(_lab.Root, "mine"));
        Directory.Move(Path.Combine(_lab.Root, "workloads", "behaving"), Path.Combine(_lab.Root, "mine", "behaving"));
        var (code, output, error) = await _lab.RunAsync(
            "run ./mine/behaving --base time=100 --head time=90 --rounds 0+13 --executor process --out session --fail-on regression");
        code.ShouldBe(0, error);
        output.ShouldContain("./perf-lab run ./mine/behaving --base time=100 --head time=90");
        (await _lab.RunAsync("compare session/samples.ndjson --plan session/plan.json")).Out.ShouldContain("./perf-lab run ./mine/behaving --base");
        (await _lab.RunAsync("report session/comparison.json --format markdown")).Out.ShouldContain("./perf-lab run ./mine/behaving --base");
        (await _lab.RunAsync("compare session/samples.ndjson")).Out.ShouldContain("./perf-lab run ./mine/behaving --base");
        File.Copy(Path.Combine(_lab.Root, "session/samples.ndjson"), Path.Combine(_lab.Root, "alone.ndjson"));
        (await _lab.RunAsync("compare alone.ndjson")).Out.ShouldContain("./perf-lab run behaving --base", customMessage: "a journal does not know the folder");

        Directory.Move(Path.Combine(_lab.Root, "mine"), Path.Combine(_lab.Root, "elsewhere"));
        (await _lab.RunAsync("report session/comparison.json")).Out.ShouldContain("./perf-lab run behaving --base", customMessage: "the folder is not here");
    }
}
