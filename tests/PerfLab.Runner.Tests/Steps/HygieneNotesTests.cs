using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Programs;
using PerfLab.Reports;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Tests.Machine;

namespace PerfLab.Runner.Tests.Steps;

public sealed class HygieneNotesTests : IDisposable
{
    private readonly FakeMachine machine = new();

    public void Dispose() => machine.Dispose();

    [Fact]
    public void a_quiet_session_is_one_line()
    {
        var note = Note(Samples())!;

        note.Line.ShouldBe("35 ok, 0 warnings, 0 blocks repeated");
        note.Items.ShouldAllBe(item => !item.NeedsAttention);
        note.Items.Count.ShouldBeGreaterThan(33);
    }

    [Fact]
    public void warnings_of_launches_and_checks_are_counted_once_each_and_blocks_once()
    {
        var samples = Samples() with
        {
            Launches = [Launch("0.2 % of the processor time went elsewhere"), Launch("0.31 % of the processor time went elsewhere"), Launch(null)],
            MachineChecks = [new JsonObject { ["warnings"] = new JsonArray("the self-test was off its usual time: spin +3.0 %") }],
            Voids =
            [
                new("c001", Stage.Screen, 0, 0, "block up to launch 20: the self-test was off"), new("c001", Stage.Screen, 1, 0, "block up to launch 20: the self-test was off"),
                new("c001", Stage.Screen, 4, 3, "clock step of 2 s"), new("c001", Stage.Screen, 5, 0, "interrupted"),
            ],
        };

        var note = Note(samples)!;

        note.Line.ShouldBe("35 ok, 2 warnings, 2 blocks repeated, 1 round given up");
        note.Items.Count(item => item.NeedsAttention).ShouldBe(4);
        note.Items.ShouldContain(item => item.Text == "0.2 % of the processor time went elsewhere (and 1 more like it)");
    }

    [Fact]
    public void a_journal_is_judged_here_again_whatever_it_says()
    {
        machine.Write("/proc/swaps", FakeMachine.Quiet["/proc/swaps"] + "/swap file 2048 0 -2\n");

        var note = Note(Samples("metal"))!;

        note.Line.ShouldBe("34 ok, 0 warnings, 1 that a lab refuses, 0 blocks repeated");
        Note(Samples("<script>"))!.Line.ShouldBe("34 ok, 1 warning, 0 blocks repeated");
        Note(Samples() with { Launches = [Launch("x") with { Hygiene = new JsonObject { ["warnings"] = 3 } }] }).ShouldNotBeNull();
    }

    [Theory]
    [InlineData("hosted", true)]
    [InlineData("any", false)]
    [InlineData("azure", false)]
    [InlineData("Hosted\n", true)]
    [InlineData("", false)]
    public void figures_of_githubs_runner_carry_a_warning(string policy, bool isWarned)
    {
        var context = JournalContext.Of(new Terminal { Out = TextWriter.Null, Error = TextWriter.Null, Root = "/nowhere", WorkingFolder = "/nowhere" }, Samples(policy), plan: null);
        context.ExecutorWarnings.Any(warning => warning.Contains("one of GitHub's own runners", StringComparison.Ordinal)).ShouldBe(isWarned);
        UntrustedText.Line(string.Concat(context.ExecutorWarnings), UntrustedText.MaxNameChars * 2).ShouldBe(string.Concat(context.ExecutorWarnings));
    }

    [Fact]
    public void a_journal_without_a_machine_has_no_line() => HygieneNotes.Of(Samples() with { Header = Samples().Header with { Machine = [] } }).ShouldBeNull();

    [Fact]
    public void in_markdown_the_list_is_behind_a_fold_and_nothing_of_it_is_markup()
    {
        var hostile = new HygieneNote("1 ok, 1 warning, 0 blocks repeated", [new(true, "repeated: <img src=x> @someone `code`")]);
        var markdown = MarkdownReport.Render(Report.From(Core.Statistics.Rows.Comparer.Compare(Samples(), new(new(), "defaults")), ReportContext.None with { Hygiene = hostile }));

        markdown.ShouldContain("<details><summary>1 ok, 1 warning, 0 blocks repeated</summary>\n\n- **");
        markdown.ShouldNotContain("\n<img");
        markdown.ShouldContain(UntrustedText.Code(hostile.Items[0].Text, 400)[..10]);
    }

    private HygieneNote? Note(SampleSet samples) => HygieneNotes.Of(samples);

    private SampleSet Samples(string policy = "any")
    {
        var facts = MachineFacts.Read(machine.Files, new FakeClocks(), new DiskSpace(50, 100), new JsonObject { ["executor"] = "process" });
        facts["policy"] = policy;
        facts["selfTest"] = FakeFigures.Of().ToJson();
        return new()
        {
            Header = new() { Session = "s", Plan = "p", Seed = 1, Started = DateTimeOffset.UnixEpoch, Executor = "process", Machine = facts, Cells = [] },
            Launches = [],
            Voids = [],
            Complete = true,
        };
    }

    private static Launch Launch(string? warning) => new()
    {
        Cell = "c001",
        Stage = Stage.Screen,
        Round = 0,
        Position = 0,
        Arm = "base",
        Started = DateTimeOffset.UnixEpoch,
        WallSeconds = 1,
        Outcome = Outcome.Measured,
        Hygiene = warning is null ? [] : new JsonObject { ["warnings"] = new JsonArray(warning) },
    };
}
