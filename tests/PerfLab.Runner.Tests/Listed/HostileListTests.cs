using PerfLab.Building;
using PerfLab.Launching;
using PerfLab.Launching.Results;
using PerfLab.Programs;
using PerfLab.Runner.Flow.Benchmarks;
using PerfLab.Runner.Tests.Execution;

namespace PerfLab.Runner.Tests.Listed;

/// <summary>What code of a pull request may say of the benchmarks it holds.</summary>
public sealed class HostileListTests(ListedLab lab) : IClassFixture<ListedLab>
{
    private const string Markup = "A.B(x: \"</details><script>alert(1)</script> @org/team `|` [a](http://b)\")";

    private readonly ListedLab _lab = lab;

    [Theory]
    [InlineData("A.B(x: \"\n\")")]
    [InlineData("A.B(x: \"\u2028\")")]
    [InlineData("A.B(x: \"\u202e\")")]
    [InlineData("A.B(x: \"\u200b\")")]
    [InlineData("A.B(x: \"\u001b[31m\")")]
    [InlineData("A.B(x: \"\0\")")]
    [InlineData("A.B(x: \"\ufffd\")")]
    [InlineData("")]
    public async Task a_name_that_can_not_be_shown_is_no_benchmark(string name)
    {
        var open = await _lab.OpenAsync();
        _lab.Listed(open, "base", name, "A.Good");
        _lab.Listed(open, "head", name, "A.Good");
        (await _lab.CompletedAsync()).Cells.ShouldHaveSingleItem().Parameters["benchmark"].ShouldBe("A.Good");
    }

    [Fact]
    public async Task a_name_of_4000_characters_is_no_benchmark()
    {
        var open = await _lab.OpenAsync();
        foreach (var arm in new[] { "base", "head" })
        {
            _lab.Listed(open, arm, "A.Good", "A." + new string('n', 4000));
        }

        (await _lab.CompletedAsync()).Cells.Count.ShouldBe(1);
    }

    [Fact]
    public async Task markup_is_a_name_like_any_other_and_reaches_the_plan_alone()
    {
        var open = await _lab.OpenAsync();
        _lab.Listed(open, "base", Markup);
        _lab.Listed(open, "head", Markup);
        var (exit, _, error) = await _lab.CompleteAsync();
        exit.ShouldBe(0, error);
        error.ShouldNotContain("script");
        (await _lab.CompletedAsync()).Cells.ShouldHaveSingleItem().Parameters["benchmark"].ShouldBe(Markup);
    }

    [Fact]
    public async Task of_500_new_benchmarks_none_is_launched_and_100_have_a_row()
    {
        var open = await _lab.OpenAsync();
        _lab.Listed(open, "base", "A.Old");
        _lab.Listed(open, "head", ["A.Old", .. Enumerable.Range(0, 500).Select(number => $"A.New{number}")]);
        var plan = await _lab.CompletedAsync();
        plan.Cells.Count.ShouldBe(101);
        plan.Cells.Count(cell => cell.Unavailable is null).ShouldBe(1);
        plan.Cells[1].Unavailable.ShouldEndWith("; 400 more like it have no row");
        plan.Screen.Concat(plan.Confirm).ShouldAllBe(round => round.Cell == "c001");
    }

    public static TheoryData<int> TooMany => Nightly.IsAsked ? [500, 10_000] : [500];

    [Theory]
    [MemberData(nameof(TooMany))]
    public async Task what_the_budget_has_no_room_for_is_refused_before_anything_is_measured(int count)
    {
        var open = await _lab.OpenAsync();
        string[] names = [.. Enumerable.Range(0, count).Select(number => $"A.M{number}")];
        _lab.Listed(open, "base", names);
        _lab.Listed(open, "head", names);
        var (exit, output, error) = await _lab.CompleteAsync();
        (exit, output).ShouldBe((2, ""));
        error.ShouldContain($"with {count} rows on 4 machines");
        error.ShouldContain("a request may take 120 minutes");
        error.ShouldContain("--filter *Parse*");

        _lab.Lab.Words["filters"] = new System.Text.Json.Nodes.JsonArray("A.M7");
        (await _lab.CompletedAsync()).Cells.Count.ShouldBe(1);
    }

    [Fact]
    public async Task of_more_than_10000_benchmarks_the_first_are_taken()
    {
        Nightly.Only("25 seconds");
        var open = await _lab.OpenAsync();
        string[] names = [.. Enumerable.Range(0, 10_001).Select(number => $"A.M{number}")];
        _lab.Listed(open, "base", names);
        _lab.Listed(open, "head", names);
        (await _lab.CompleteAsync()).Error.ShouldContain("with 10000 rows");
    }

    [Fact]
    public async Task a_list_that_could_not_be_had_refuses_the_request_with_its_reason_in_one_line()
    {
        var open = await _lab.OpenAsync();
        _lab.Listed(open, "base", "A.Good");
        _lab.Listed(open, "head", [], why: BenchmarkList.TooLate + "\n::error::<b>" + new string('w', 4000));
        var (exit, _, error) = await _lab.CompleteAsync();
        exit.ShouldBe(2);
        var line = error.Split('\n', StringSplitOptions.RemoveEmptyEntries).ShouldHaveSingleItem();
        line.ShouldContain("the benchmarks of head can't be listed: did not end in its time and was stopped\\u000a::error::<b>w");
        line.ShouldEndWith("one of them waits, or takes too long");
        line.Length.ShouldBeLessThan(1000);
    }

    [Fact]
    public async Task a_project_without_benchmarks_is_told_so()
    {
        var open = await _lab.OpenAsync();
        _lab.Listed(open, "base", []);
        _lab.Listed(open, "head", []);
        (await _lab.CompleteAsync()).Error.ShouldContain("it holds none: no public class has a method with [Benchmark]");
    }

    [Theory]
    [InlineData("head", "base")] // head's list can't stand for base
    [InlineData("base", "other")]
    public async Task a_list_of_another_arm_or_plan_is_not_believed(string file, string said)
    {
        var open = await _lab.OpenAsync();
        _lab.Listed(open, "base", "A");
        _lab.Listed(open, "head", "A");
        _lab.Listed(said == "other" ? open with { Hash = "sha256:" + new string('0', 64) } : open, said == "other" ? "base" : said, "A.Forged");
        if (file == "head")
        {
            File.Copy(_lab.Lab.At("base.json"), _lab.Lab.At("head.json"), overwrite: true);
        }

        var (exit, output, error) = await _lab.CompleteAsync();
        (exit, output).ShouldBe((1, ""));
        error.ShouldContain("it is not the list of this plan's arm");
    }

    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    [InlineData("""{"schema":"perf-lab/benchmarks/1"}""")]
    public async Task a_file_that_is_no_list_is_an_error(string text)
    {
        var open = await _lab.OpenAsync();
        _lab.Listed(open, "base", "A");
        _lab.Lab.Write("head.json", text);
        (await _lab.CompleteAsync()).Exit.ShouldBe(1);
    }

    [Fact]
    public async Task a_discovery_that_hangs_is_a_sentence_in_the_list()
    {
        var open = await _lab.OpenAsync();
        using var launcher = new FakeLauncher { Script = (_, _) => new FakeEnd { How = EndKind.TimedOut } };
        using StringWriter output = new(), error = new();
        var there = Flow.Lab.Open(new Terminal { Out = output, Error = error, Root = _lab.Lab.At("repo"), WorkingFolder = _lab.Lab.Folder });
        var build = new Build("sha256:" + new string('1', 64), _lab.Lab.Folder, false);
        var listed = await new ListStep(there, launcher).RunAsync(open, "head",
            new Dictionary<(string, string), BuildResult> { [("c001", "head")] = new(build, null, null) }, CancellationToken.None);
        launcher.Launched.ShouldHaveSingleItem().Command[^1].ShouldBe("list");
        var project = listed.Projects.ShouldHaveSingleItem();
        (project.Workload, project.Benchmarks.Count).ShouldBe((ListedLab.Name, 0));
        project.Why.ShouldBe("the program that lists them did not end in its time and was stopped: it said nothing");
    }

    [Fact]
    public async Task what_does_not_build_holds_nothing()
    {
        var open = await _lab.OpenAsync();
        using var launcher = new FakeLauncher();
        using StringWriter output = new(), error = new();
        var there = Flow.Lab.Open(new Terminal { Out = output, Error = error, Root = _lab.Lab.At("repo"), WorkingFolder = _lab.Lab.Folder });
        var listed = await new ListStep(there, launcher).RunAsync(open, "base",
            new Dictionary<(string, string), BuildResult> { [("c001", "base")] = new(null, null, "CS1002") }, CancellationToken.None);
        listed.Projects.ShouldHaveSingleItem().Why.ShouldBe("it does not build");
        launcher.Launched.ShouldBeEmpty();
    }
}
