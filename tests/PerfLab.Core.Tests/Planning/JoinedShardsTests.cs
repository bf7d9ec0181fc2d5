using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Reports;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Tests.Statistics;
using static PerfLab.Core.Tests.Planning.Workloads;

namespace PerfLab.Core.Tests.Planning;

/// <summary>Four cells, of which the second and the third are slower, in two shards.</summary>
public class JoinedShardsTests
{
    private static readonly RunPlan Planned = Shards.Split(
        Plan(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("slower", "0", "1", "2", "3") with { Rounds = (0, 20) }, Spin)
            .Plan!,
        2);

    [Fact]
    public void the_verdicts_are_those_of_one_machine_that_measured_all()
    {
        var whole = Compare(Whole());
        var joined = Compare(JoinedShards.Of(Planned, [Journal(2), Journal(1)]));
        joined.Summary.ShouldBe(whole.Summary);
        joined.Summary.Regressed.ShouldBe(2);
        joined.Cells.Select(row => row with { Shard = null, Warnings = [] })
            .ShouldBe(whole.Cells.Select(row => row with { Warnings = [] }));
        joined.Cells.Select(row => row.Shard).ShouldBe(Planned.Cells.Select(cell => (int?)(Planned.Shards![0].Contains(cell.Id) ? 1 : 2)));
        joined.Warnings.ShouldBeEmpty();
    }

    [Fact]
    public void each_row_of_the_report_says_its_shard()
    {
        var samples = JoinedShards.Of(Planned, [Journal(2)]);
        var report = Report.From(Compare(samples), ReportContext.From(samples));
        report.Rows.Select(row => row.Shard).Distinct().Order().ShouldBe(["-", "2"]);
        MarkdownReport.Render(report).ShouldMatch(@"\| detectable \| shard \|\n[^\n]+\n\| `[^\n]+ \| 2 \|\n");
    }

    [Fact]
    public void the_family_is_that_of_all_shards_and_a_shard_alone_says_that_it_has_another()
    {
        var joined = Compare(JoinedShards.Of(Planned, [Journal(1), Journal(2)]));
        var alone = Comparer.Compare(Shard(1), new(Planned.Policy, "plan"));
        alone.Warnings.ShouldHaveSingleItem().ShouldContain("shard 1 of its plan alone");
        var slow = alone.Cells.MinBy(row => row.AdjustedP)!;
        slow.AdjustedP!.Value.ShouldBeLessThan(
            joined.Cells.Single(row => row.Cell == slow.Cell).AdjustedP!.Value, "two tests there, four here");
    }

    [Fact]
    public void a_shard_that_never_came_is_named_its_cells_have_failed_and_the_rest_stands()
    {
        var joined = Compare(JoinedShards.Of(Planned, [Journal(2)]));
        joined.Warnings.ShouldHaveSingleItem().ShouldStartWith("shard 1 of 2 is missing: nothing was measured of ");
        foreach (var row in joined.Cells)
        {
            var isMissing = Planned.Shards![0].Contains(row.Cell);
            (row.Verdict == Verdict.Failed).ShouldBe(isMissing);
            if (isMissing)
            {
                row.Warnings.ShouldBe(["never launched: shard 1 of the plan is missing"]);
            }
        }
    }

    [Fact]
    public void a_damaged_journal_does_not_count_and_the_others_do()
    {
        var joined = Compare(JoinedShards.Of(Planned, [Journal(2), new("1.ndjson", null, "journal damaged at record #5 (line 6): crc.")]));
        joined.Warnings[0].ShouldBe("1.ndjson can't be read and does not count: journal damaged at record #5 (line 6): crc.");
        joined.Warnings[1].ShouldStartWith("shard 1 of 2 is missing");
        joined.Summary.Failed.ShouldBe(2);
        Should.Throw<LabException>(() => JoinedShards.Of(Planned, [new("1.ndjson", null, "the file is empty")]))
            .Message.ShouldContain("the file is empty");
    }

    [Fact]
    public void a_shard_that_was_cut_counts_as_far_as_it_came_and_says_so()
    {
        var cut = Shard(1) with { Complete = false };
        Compare(JoinedShards.Of(Planned, [new("1", cut, null), Journal(2)]))
            .Warnings.ShouldHaveSingleItem().ShouldStartWith("shard 1 has no end record");
    }

    [Fact]
    public void whatever_contradicts_the_plan_is_refused_by_name()
    {
        Refused([Journal(1), Journal(1)], "shard 1 of the plan is there twice");
        Refused([Journal(1), new("x", Whole(), null)], "it holds the whole plan");
        Refused([new("x", Changed(1, header => header with { Plan = "sha256:other" }), null)], "it was measured for plan sha256:other");
        Refused([new("x", Changed(1, header => header with { Shard = 3 }), null)], "it is shard 3 of a plan of 2");
        Refused([new("x", Changed(1, header => header with { Shard = 2 }), null)], "its cells are not those of shard 2");
        Refused([new("x", Changed(1, header => header with { Policy = new Policy { FamilyError = 0.2 } }), null)], "under another policy");
    }

    [Fact]
    public void clocks_that_differ_between_machines_change_nothing()
    {
        var late = Changed(1, header => header with { Started = header.Started.AddHours(1) });
        Compare(JoinedShards.Of(Planned, [new("1", late, null), Journal(2)])).Summary.ShouldBe(Compare(Whole()).Summary);
    }

    private static void Refused(IReadOnlyList<ShardJournal> journals, string why) =>
        Should.Throw<LabException>(() => JoinedShards.Of(Planned, journals)).Message.ShouldContain(why);

    private static Comparison Compare(SampleSet samples) => Comparer.Compare(samples, new(Planned.Policy, "plan"));

    private static ShardJournal Journal(int shard) => new($"{shard}", Shard(shard), null);

    private static SampleSet Changed(int shard, Func<SessionHeader, SessionHeader> change) =>
        Shard(shard) is var samples ? samples with { Header = change(samples.Header) } : throw new InvalidOperationException();

    private static SampleSet Shard(int number)
    {
        var (whole, cells) = (Whole(), Planned.Shards![number - 1]);
        return whole with
        {
            Header = whole.Header with
            {
                Session = $"s{number}",
                Shard = number,
                Cells = [.. whole.Header.Cells.Where(cell => cells.Contains(cell.Id))],
            },
            Launches = [.. whole.Launches.Where(launch => cells.Contains(launch.Cell))],
        };
    }

    private static SampleSet Whole()
    {
        var builder = new SampleSetBuilder();
        foreach (var (index, cell) in Planned.Cells.Index())
        {
            builder.Cell(cell.Id, [.. cell.Metrics]).With(_ => cell.ToCell(arm => $"sha256:{arm}", _ => null, null))
                .Rounds(Stage.Confirm, SampleSetBuilder.Shifted(index is 1 or 2 ? -0.2 : 0));
        }

        var built = builder.Build();
        return built with { Header = built.Header with { Plan = Planned.Hash, Policy = Planned.Policy } };
    }
}
