using System.Text;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Tests.Statistics;

/// <summary>A round in turns gives one figure, the median over its pairs of slices, and that is what the test of rounds gets.</summary>
public sealed class TurnsTests
{
    private const int Slices = 7;

    private static readonly TurnPlan Cut = new(5, 0.05) { ByClock = true };

    /// <summary>,"crc":"xxxxxxxx"} closes every line.</summary>
    private const int CrcBytes = 18;

    [Fact]
    public void a_round_is_the_median_of_its_pairs_of_slices_whatever_became_of_a_few_of_them()
    {
        double[] worse = [0.05, 0.05, 0.05, 0.05, 0.05, 3, -2];
        SlicePairs.Difference(Of(1000, _ => 0), Of(1000, slice => worse[slice])).ShouldBe(0.05);
        // The same rate at another length: what is compared is the time of a unit of work.
        SlicePairs.Difference(Of(1000, _ => 0), Of(500, _ => 0)).ShouldBe(0);
    }

    [Fact]
    public void a_comparison_goes_by_the_slices_and_says_that_it_did()
    {
        // The launches' own values say 3 % at random; slice by slice it is 5 % each time.
        var row = Session(SampleSetBuilder.Shifted(0.03), _ => 0.05).Compare().Cells.Single();
        row.Verdict.ShouldBe(Verdict.Regressed);
        row.Change!.Value.ShouldBe(Math.Exp(0.05) - 1, 1e-9);
        row.Noise!.Value.ShouldBe(0, 1e-9);
        row.Pairing.ShouldBe(Pairing.Turns);
    }

    [Fact]
    public void where_higher_is_better_longer_slices_are_worse_too()
    {
        var row = Session(SampleSetBuilder.Shifted(0), _ => 0.05, new Metric("rate", "op/s", Better.Higher, Primary: true)).Compare().Cells.Single();
        row.Verdict.ShouldBe(Verdict.Regressed);
        row.Change!.Value.ShouldBe(Math.Exp(0.05) - 1, 1e-9);
    }

    [Fact]
    public void arms_with_other_numbers_of_slices_are_not_compared()
    {
        var row = Session(SampleSetBuilder.Shifted(0), _ => 0.05, more: 1).Compare().Cells.Single();
        row.Verdict.ShouldBe(Verdict.Failed);
        row.Warnings.ShouldContain("the arms of a round did not take as many turns as each other");
    }

    [Fact]
    public void slices_that_the_clock_cut_are_compared_by_what_their_launches_took()
    {
        // As many as it lasted, of as much work as the machine allowed: slice by slice nothing can be compared.
        var samples = Session(SampleSetBuilder.Shifted(0.03), _ => 0, more: 2).With(cell => cell with { Turns = Cut }).Build();
        var cut = samples with
        {
            Launches = [.. samples.Launches.Select(launch => launch with { Turns = launch.Turns! with { Work = null } })],
        };
        var read = JournalReader.Read(Bytes(cut));
        read.Damage.ShouldBeNull();
        read.Samples!.Header.Cells.Single().Turns.ShouldBe(Cut);

        var row = Comparer.Compare(cut, new(new(), "defaults")).Cells.Single();
        var launched = new SampleSetBuilder().Cell("c001").Rounds(Stage.Confirm, SampleSetBuilder.Shifted(0.03)).Compare().Cells.Single();
        (row.Pairing, launched.Pairing).ShouldBe((Pairing.Turns, Pairing.Launches));
        (row.Verdict, row.Change, row.Noise).ShouldBe((launched.Verdict, launched.Change, launched.Noise));
        row.Noise!.Value.ShouldBeGreaterThan(0.01, "the rounds scatter");
    }

    [Theory]
    [InlineData(true, true, "has work of slices that the clock cut")]
    [InlineData(false, false, "has slices without the work that was done in them")]
    public void a_journal_whose_slices_are_not_of_its_kind_is_not_believed(bool isCut, bool hasWork, string damage)
    {
        var samples = new SampleSetBuilder().Cell("c001").With(cell => cell with { Turns = isCut ? Cut : new(Slices, 0.05) })
            .Launch(Stage.Confirm, 0, "base", 0, launch => launch with
            {
                Metrics = Value(100),
                Turns = Of(1, _ => 0) is var slices && hasWork ? slices : slices with { Work = null },
            }).Build();
        JournalReader.Read(Bytes(samples)).Damage!.ShouldContain(damage);
    }

    [Theory]
    [InlineData(true, false, "has a measured launch without the slices of its turns")]
    [InlineData(false, true, "has slices of a launch that took no turns")]
    public void a_journal_that_mixes_both_ways_in_one_row_is_not_believed(bool cellTakesTurns, bool launchDid, string damage)
    {
        var samples = new SampleSetBuilder().Cell("c001").With(cell => cell with { Turns = cellTakesTurns ? new(Slices, 0.05) : null })
            .Launch(Stage.Confirm, 0, "base", 0, launch => launch with { Metrics = Value(100), Turns = launchDid ? Of(1, _ => 0) : null }).Build();
        JournalReader.Read(Bytes(samples)).Damage!.ShouldContain(damage);
    }

    [Fact]
    public void a_journal_gives_back_every_slice()
    {
        var samples = Session(SampleSetBuilder.Shifted(0), slice => 0.01 * slice).Build();
        var read = JournalReader.Read(Bytes(samples));
        read.Damage.ShouldBeNull();
        read.Samples!.Header.Cells.Single().Turns.ShouldBe(new TurnPlan(Slices, 0.05));
        read.Samples.Launches[0].Turns!.Seconds.ShouldBe(samples.Launches[0].Turns!.Seconds);
        read.Samples.Launches[0].Turns!.FrozenSeconds.ShouldBe(0.001);
    }

    [Theory]
    [InlineData("\"work\":[1,1,1,1,1,1,1]", "\"work\":[1,1,1,1,1,1]")]
    [InlineData("\"work\":[1,1,1,1,1,1,1]", "\"work\":[0,1,1,1,1,1,1]")]
    [InlineData("\"work\":[1,1,1,1,1,1,1]", "\"work\":[]")]
    public void slices_that_can_not_be_are_damage(string are, string become)
    {
        var samples = new SampleSetBuilder().Cell("c001").With(cell => cell with { Turns = new(Slices, 0.05) })
            .Launch(Stage.Confirm, 0, "base", 0, launch => launch with { Metrics = Value(100), Turns = Of(1, _ => 0) }).Build();
        var lines = Encoding.UTF8.GetString(Bytes(samples)).Split('\n');
        lines[1].ShouldContain(are);
        var body = lines[1].Replace(are, become, StringComparison.Ordinal)[..^CrcBytes];
        var line = $"{body},\"crc\":\"{Crc.Text(Encoding.UTF8.GetBytes(body))}\"}}";
        JournalReader.Read(Encoding.UTF8.GetBytes($"{lines[0]}\n{line}\n")).Damage.ShouldNotBeNull();
    }

    private static byte[] Bytes(SampleSet samples) =>
        [.. new JournalRecord[] { samples.Header }.Concat(samples.Launches).Index().SelectMany(one => JournalLine.Of(one.Index, one.Item))];

    private static SampleSetBuilder Session(double[] differences, Func<int, double> worse, Metric? metric = null, int more = 0)
    {
        var builder = new SampleSetBuilder().Cell("c001", [metric ?? SampleSetBuilder.Time]).With(cell => cell with { Turns = new(Slices, 0.05) });
        var name = (metric ?? SampleSetBuilder.Time).Name;
        for (var round = 0; round < differences.Length; round++)
        {
            builder.Launch(Stage.Confirm, round, "base", 0, launch => launch with { Metrics = Value(100, name), Turns = Of(1, _ => 0) });
            builder.Launch(Stage.Confirm, round, "head", 0, launch => launch with
            {
                Metrics = Value(100 * Math.Exp(differences[round]), name),
                Turns = Of(1, worse, Slices + more),
            });
        }

        return builder;
    }

    private static Dictionary<string, double> Value(double value, string name = "time") => new(StringComparer.Ordinal) { [name] = value };

    private static TurnSlices Of(double work, Func<int, double> worse, int slices = Slices) => new()
    {
        Work = [.. Enumerable.Repeat(work, slices)],
        Seconds = [.. Enumerable.Range(0, slices).Select(slice => 0.05e-3 * work * Math.Exp(worse(slice)))],
        FrozenSeconds = 0.001,
    };
}
