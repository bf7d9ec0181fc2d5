using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Reports;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Tests.Reporting.Support;
using static PerfLab.Core.Tests.Planning.Workloads;

namespace PerfLab.Core.Tests.Reporting;

public sealed class ReportTests
{
    [Fact]
    public void what_needs_attention_comes_first()
    {
        var (comparison, context) = SampleReports.EveryVerdict();

        Report.From(comparison, context).Rows.Select(row => row.Figures.Verdict).ShouldBe(
        [
            Verdict.Regressed, Verdict.Failed, Verdict.Improved, Verdict.TooNoisy, Verdict.NotSteady,
            Verdict.Undecided, Verdict.Unavailable, Verdict.Unchanged, Verdict.IdenticalBuild, Verdict.Untouched,
        ]);
    }

    [Fact]
    public void real_changes_are_ordered_by_size_and_everything_else_by_the_plan()
    {
        ComparedMetric[] rows =
        [
            Row("c1", Verdict.Undecided, 0.01), Row("c2", Verdict.Regressed, 0.02), Row("c3", Verdict.Undecided, 0.2), Row("c4", Verdict.Regressed, 0.03),
            Row("c5", Verdict.Improved, -0.1), Row("c6", Verdict.Improved, -0.5),
        ];

        Of(rows).Rows.Select(row => row.Figures.Cell).ShouldBe(["c4", "c2", "c6", "c5", "c1", "c3"]);
    }

    [Fact]
    public void a_failed_row_shows_the_launches_of_its_arm_and_its_reference_and_no_others()
    {
        var context = new ReportContext
        {
            Launches =
            [
                SampleReports.Failed("c001", 0, "first"), SampleReports.Failed("c001", 1, "last"),
                SampleReports.Failed("c001", 1, null) with { Arm = "base", Outcome = Outcome.OutOfMemory },
                SampleReports.Failed("c001", 2, "third arm") with { Arm = "other" },
                SampleReports.Failed("c001", 3, "fine") with { Outcome = Outcome.Measured },
                SampleReports.Failed("c002", 0, "another cell"),
            ],
        };

        Of([Row("c001", Verdict.Failed, null)], context).Rows.Single().Failures.ShouldBe(
        [
            new LaunchFailure("head", "2 launches failed with exit code 134", null, "last"),
            new LaunchFailure("base", "1 launch ran out of memory", null, null),
        ]);
    }

    [Fact]
    public void a_segmentation_fault_is_called_so_because_nothing_else_says_it() =>
        Of([Row("c001", Verdict.Failed, null)], new() { Launches = [SampleReports.Failed("c001", 0, null) with { ExitCode = 139 }] }).Rows.Single().Failures
            .ShouldHaveSingleItem().What.ShouldBe("1 launch failed with exit code 139: a segmentation fault, in the runtime or in native or unsafe code");

    [Fact]
    public void without_the_journal_an_unavailable_cell_still_says_what_is_missing_and_says_it_once()
    {
        var row = Of([Row("c001", Verdict.Unavailable, null) with { Warnings = ["package X 1.0 is in no source"] }]).Rows.Single();

        row.Unavailable.ShouldBe("package X 1.0 is in no source");
        row.Warnings.ShouldBeEmpty();
    }

    [Fact]
    public void cells_are_told_apart_by_what_differs_and_in_the_last_resort_by_id()
    {
        var context = new ReportContext
        {
            Cells =
            [
                SampleReports.Cell("c1", "json", "net8.0.33", "on"), SampleReports.Cell("c2", "json", "net8.0.33", "off"),
                SampleReports.Cell("c3", "json", "net8.0.33", "off"), SampleReports.Cell("c4", "other", "net8.0.33", "on"),
            ],
        };

        Of([.. new[] { "c1", "c2", "c3", "c4", "c5" }.Select(cell => Row(cell, Verdict.Unchanged, 0))], context).Rows.Select(row => row.Cell).ShouldBe(
            ["json / net8.0.33 / pgo on", "json / net8.0.33 / pgo off (c2)", "json / net8.0.33 / pgo off (c3)", "other / net8.0.33 / pgo on", "c5"]);
    }

    [Fact]
    public void nothing_that_a_shell_would_act_on_is_offered_for_pasting()
    {
        Line(SampleReports.Cell("c1", "json", "net8.0.33", "on")).ShouldBe(
            "./perf-lab run json --base framework=newtonsoft@12.0.3 --head framework=newtonsoft@13.0.3 --set runtime=net8.0.33 --set documents=1000 --rounds 8+20 --pairing launches --seed 7");
        Line(SampleReports.Cell("c1", "json;id", "net8.0.33", "on")).ShouldBeNull();
        Line(SampleReports.Cell("c1", "json", "$(id)", "on")).ShouldBeNull();
        Line(SampleReports.Cell("c1", "json", "a,b", "on")).ShouldBeNull("a comma would become two values");

        static string? Line(Cell cell) => ReproduceLine.For(cell, "head", new Policy(), new(7));
    }

    [Fact]
    public void base_against_base_is_measured_again_as_that()
    {
        var cell = SampleReports.Cell("c1", "json", "net8.0.33", "on");
        var twins = cell with { Arms = [cell.Arms[0], cell.Arms[0] with { Id = "head" }] };
        ReproduceLine.For(twins, "head", new Policy(), new(7))!.ShouldStartWith("./perf-lab run json --aa --base framework=newtonsoft@12.0.3 --set ");
    }

    [Theory]
    [InlineData("a 'b c'", "x\ty", null)]
    [InlineData("a 'b c'", "x $(id)", @"./perf-lab run --command 'x $(id)' --against 'a '\''b c'\''' --rounds 8+20 --seed 7")]
    [InlineData("a", "a", "./perf-lab run --command 'a' --aa --rounds 8+20 --seed 7")]
    public void commands_are_offered_in_quotes_or_not_at_all(string against, string command, string? expected)
    {
        var cell = SampleReports.Cell("c1", "command", "net8.0.33", "on");
        var arms = new[] { ("base", against), ("head", command) }
            .Select(arm => new Arm { Id = arm.Item1, Dimensions = new Dictionary<string, string>(StringComparer.Ordinal) { ["command"] = arm.Item2 } });
        ReproduceLine.For(cell with { Arms = [.. arms] }, "head", new Policy(), new(7)).ShouldBe(expected);
    }

    [Theory]
    [InlineData("/srv/packages", " --seed 7 --feed /srv/packages")]
    [InlineData("/mnt/c/My Packages", " --seed 7 --feed '/mnt/c/My Packages'")]
    [InlineData("/srv/two  blanks", " --seed 7 --feed DIR")]
    [InlineData("/srv/it's", @" --seed 7 --feed '/srv/it'\''s'")]
    [InlineData("/srv/$(id)", " --seed 7 --feed '/srv/$(id)'")]
    [InlineData("/srv/two\nlines", " --seed 7 --feed DIR")]
    [InlineData("/srv/\u202Egnp", " --seed 7 --feed DIR")]
    public void a_folder_of_packages_that_a_cell_was_built_with_is_in_its_line(string feed, string expected) =>
        ReproduceLine.For(SampleReports.Cell("c1", "json", "net8.0.33", "on"), "head", new Policy(), new(7) { Feeds = [feed] })!.ShouldEndWith(expected);

    [Theory]
    [InlineData(null, "./perf-lab run json --base ")]
    [InlineData("./mine/json", "./perf-lab run ./mine/json --base ")]
    [InlineData("/mnt/c/My Workloads/json", "./perf-lab run '/mnt/c/My Workloads/json' --base ")]
    [InlineData("/srv/$(id)/json", "./perf-lab run '/srv/$(id)/json' --base ")]
    [InlineData("/srv/two  blanks/json", "./perf-lab run DIR --base ")]
    public void a_workload_that_its_name_does_not_find_is_named_by_its_folder(string? folder, string expected) =>
        ReproduceLine.For(SampleReports.Cell("c1", "json", "net8.0.33", "on"), "head", new Policy(), new(7) { Folder = folder })!.ShouldStartWith(expected);

    [Fact]
    public void the_line_begins_with_what_the_reader_typed()
    {
        var context = new ReportContext { Cells = [SampleReports.Cell("c001", "json", "net8.0.33", "on")], Program = "PERF_LAB_ROOT=$PWD ../perf-lab/perf-lab" };
        Of([Row("c001", Verdict.Unchanged, 0)], context).Rows.Single().Reproduce!.ShouldStartWith("PERF_LAB_ROOT=$PWD ../perf-lab/perf-lab run json --base ");
    }

    [Theory]
    [InlineData(1, Stage.Confirm, " --rounds 0+20")]
    [InlineData(1, Stage.Screen, " --rounds 8+20")]
    [InlineData(0, Stage.Confirm, " --rounds 8+20")]
    public void where_few_rows_were_left_and_none_had_a_screen_the_line_asks_for_none(int untouched, Stage stage, string rounds)
    {
        var context = new ReportContext { Cells = [SampleReports.Cell("c001", "json", "net8.0.33", "on")] };
        var counts = new VerdictCounts(0, 0, 0, 0, 0, 0, 0, 0) { Untouched = untouched };
        Report.From(SampleReports.Of([Row("c001", Verdict.Unchanged, 0) with { Stage = stage }], counts), context)
            .Rows.Single().Reproduce!.ShouldContain(rounds);
    }

    [Fact]
    public void the_feeds_of_a_plan_come_into_the_lines_of_the_cells_that_were_built_with_them()
    {
        var request = Request(Arm("base", "runtime=net8.0"), Arm("head", "runtime=net10.0")) with { Feeds = ["/srv/a", "/srv/b"] };
        var plan = Planning.Workloads.Plan(request, Spin).Plan!;
        var script = Planning.Workloads.Plan(Request(Bare("base"), Bare("head")) with { Feeds = ["/srv/a"] }, Script).Plan!;

        Reproduce(plan, withPlan: true).ShouldEndWith(" --feed /srv/a --feed /srv/b");
        Reproduce(plan, withPlan: false).ShouldNotContain("--feed");
        ReportContext.None.With(script).Feeds["c001"].ShouldBeEmpty("what is not built needs no packages");

        static string Reproduce(RunPlan plan, bool withPlan)
        {
            var context = new ReportContext { Cells = [.. plan.Cells.Select(cell => cell.ToCell(_ => null, _ => null, null))], Seed = plan.Seed };
            return Of([Row("c001", Verdict.Unchanged, 0)], withPlan ? context.With(plan) : context).Rows.Single().Reproduce!;
        }
    }

    [Fact]
    public void the_line_under_a_row_plans_the_same_cell_again()
    {
        var request = Request(Arm("off", "pgo=off"), Arm("on", "pgo=on"), Arm("full", "pgo=full")).With("runtime", "netcoreapp3.1", "net8.0").With("slower", "0", "2");
        var spin = Spin with { Build = Spin.Build with { Runtimes = ["netcoreapp3.1", "net8.0"] } };
        var cells = Planning.Workloads.Plan(request, spin).Plan!.Cells.Where(cell => cell.Unavailable is null).Select(cell => cell.ToCell(_ => null, _ => null, null)).ToList();
        cells.Count.ShouldBe(4);
        foreach (var (cell, arm) in cells.SelectMany(cell => cell.Arms.Skip(cell.Arms.Count > 1 ? 1 : 0).Select(arm => (cell, arm))))
        {
            var again = Planning.Workloads.Plan(Asked(ReproduceLine.For(cell, arm.Id, new Policy(), new(7))!), spin).Plan!.Cells.ShouldHaveSingleItem().ToCell(_ => null, _ => null, null);
            again.ValuesOf(again.Arms[^1]).ShouldBe(cell.ValuesOf(arm), ignoreOrder: true);
            again.ValuesOf(again.Reference).ShouldBe(cell.ValuesOf(cell.Reference), ignoreOrder: true);
        }
    }

    /// <summary>Reads a line as the command line does.</summary>
    private static BenchmarkRequest Asked(string line)
    {
        var words = line.Split(' ');
        var pairs = words.Zip(words.Skip(1)).Where(pair => pair.First.StartsWith("--", StringComparison.Ordinal)).ToLookup(pair => pair.First, pair => pair.Second);
        ArmRequest[] arms = pairs["--base"].Any() ? [Arm("base", pairs["--base"].Single().Split(',')), Arm("head", pairs["--head"].Single().Split(','))] : [Bare("head")];
        return pairs["--set"].Select(set => set.Split('=')).Aggregate(Request(arms), (request, set) => request.With(set[0], set[1]));
    }

    [Fact]
    public void arms_that_differ_in_their_runtime_only_are_said_to_be_proven_so()
    {
        var cell = SampleReports.Cell("c001", "json", "net8.0.33", "on");
        Cell With(string il, string otherIl) => cell with { Arms = [cell.Arms[0] with { Build = "sha256:1", Il = il }, cell.Arms[1] with { Build = "sha256:2", Il = otherIl }] };
        ReportContext Context(Cell one) => new() { Cells = [one], SameIl = true, Seed = 7 };

        Of([Row("c001", Verdict.Unchanged, 0)], Context(With("sha256:a", "sha256:a"))).Facts
            .ShouldContain(("same IL", "proven by hash, sha256:a: in 1 of 1 cells the arms differ in their runtime, not in their own code"));
        Of([Row("c001", Verdict.Unchanged, 0)], Context(With("sha256:a", "sha256:b"))).Facts.ShouldAllBe(fact => fact.Name != "same IL");
        Of([Row("c001", Verdict.Unchanged, 0)], Context(With("sha256:a", "sha256:a"))).Rows.Single().Reproduce!.ShouldContain(" --same-il ");
    }

    [Fact]
    public void the_line_of_one_arm_names_the_arms_own_values()
    {
        var cell = SampleReports.OneArm().Context.Cells[0];

        ReproduceLine.For(cell, "head", new Policy(), new(null))!.ShouldContain("--set framework=newtonsoft@13.0.3");
    }

    [Fact]
    public void metrics_of_what_was_not_measured_have_no_rows_of_dashes()
    {
        var unavailable = Row("c001", Verdict.Unavailable, null) with { Rounds = 0 };
        var report = Of([unavailable, unavailable with { Metric = "allocated", Primary = false, Verdict = null }, Row("c002", Verdict.Unchanged, 0), Row("c002", Verdict.Unchanged, 0) with { Metric = "allocated", Primary = false, Verdict = null }]);
        report.OtherMetrics.Select(row => row.Figures.Cell).ShouldBe(["c002"]);
    }

    [Fact]
    public void a_doubt_about_every_arm_of_a_cell_is_said_once_and_one_about_some_of_them_names_them()
    {
        ComparedMetric Doubtful(string arm, params string[] warnings) => Row("c001", Verdict.Undecided, 0) with { Arm = arm, Warnings = warnings };

        Of([Doubtful("on", "of the reference", "8 of 20"), Doubtful("full", "of the reference", "8 of 20"), Doubtful("off", "of the reference")]).Doubts
            .Select(doubt => $"{string.Join('/', doubt.Names)}: {doubt.Text}").ShouldBe(["c001: of the reference", "c001/on/full: 8 of 20"]);
    }

    [Fact]
    public void an_arm_that_is_alone_in_its_cell_says_so_and_stands_behind_what_was_compared()
    {
        var report = Of([Row("c001", Verdict.Undecided, 0), Row("c002", Verdict.Undecided, null) with { Arm = "off", Reference = null, Verdict = null, ArmValue = 3 }]);
        report.Headline.ShouldBe("no change found in 1, 1 with nothing to compare with");
        report.Rows.Select(row => row.Verdict).ShouldBe(["undecided", "nothing to compare with"]);
    }

    [Fact]
    public void a_line_of_the_caller_wins_over_the_one_made_from_the_cell()
    {
        var context = new ReportContext { Reproduce = new Dictionary<RowKey, string> { [new RowKey("c001", "head")] = "./perf-lab run ./mine" } };

        Of([Row("c001", Verdict.Unchanged, 0)], context).Rows.Single().Reproduce.ShouldBe("./perf-lab run ./mine");
    }

    [Fact]
    public void the_budget_line_says_how_often_the_lab_was_wrong_when_nothing_had_changed()
    {
        Of([]).FalseFlagBudget.ShouldBe("False-flag budget of this report: 1 %. A/A: not yet measured.");
        Report.From(SampleReports.NoCells() with { FalseFlags = new FalseFlags(0, 0, 0, 1) }).FalseFlagBudget.ShouldEndWith("not yet measured.");
        Report.From(SampleReports.NoCells() with { FalseFlags = new FalseFlags(1, 90, 0.000281, 0.0604) }).FalseFlagBudget
            .ShouldBe("False-flag budget of this report: 1 %. A/A: 1 false flag in 90 runs (true rate between 0.03 % and 6.0 %, with 95 % confidence).");
    }

    private static ComparedMetric Row(string cell, Verdict verdict, double? change) => SampleReports.Figures(cell) with { Verdict = verdict, Change = change };

    private static Report Of(ComparedMetric[] rows, ReportContext? context = null) =>
        Report.From(SampleReports.Of(rows, new VerdictCounts(0, 0, 0, 0, 0, 0, 0, 0)), context);
}
