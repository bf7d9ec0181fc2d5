using PerfLab.Calibration;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Steady;
using PerfLab.Core.Trends;

namespace PerfLab.Core.Tests.Trends;

public sealed class SeriesTests
{
    private static readonly SessionMachine Machine = new("0123456789ab", "cpu", "docker");

    [Fact]
    public void a_commit_and_a_patch_of_the_runtime_make_no_new_series_and_everything_else_does()
    {
        var name = Name(runtime: "net10.0.14", commit: "aaaaaaa").Key;
        Name(runtime: "net10.0.15", commit: "bbbbbbb").Key.ShouldBe(name);
        string[] others =
        [
            Name(runtime: "net9.0.14").Key, Name(workload: "w2").Key, Name(machine: Machine with { Fingerprint = "x" }).Key, Name(machine: Machine with { Executor = "process" }).Key,
            Name(against: new() { ["framework"] = "x@1" }).Key,
        ];
        others.Append(name).Distinct().Count().ShouldBe(6);
        SeriesName.Read(name).Key.ShouldBe(name);
    }

    [Fact]
    public void the_machine_is_its_make_and_not_its_day()
    {
        SessionHeader Header(string facts) => new()
        {
            Session = "s",
            Plan = "p",
            Seed = 1,
            Started = DateTimeOffset.UnixEpoch,
            Executor = "docker",
            Cells = [],
            Machine = (System.Text.Json.Nodes.JsonObject)System.Text.Json.Nodes.JsonNode.Parse(facts)!,
        };
        var one = MachineFingerprint.Of(Header("""{"cpu":{"model":"EPYC","online":"0-3"},"kernel":"6.1","load":0.1,"bootId":"a"}"""));
        MachineFingerprint.Of(Header("""{"cpu":{"online":"0-3","model":"EPYC"},"kernel":"6.8","load":9,"bootId":"b"}""")).Text.ShouldBe(one.Text);
        MachineFingerprint.Of(Header("""{"cpu":{"model":"EPYC","online":"0-7"}}""")).Text.ShouldNotBe(one.Text);
        MachineFingerprint.Of(Header("""{"cpu":7}""")).Cpu.ShouldBe("unknown");
        one.Cpu.ShouldBe("EPYC");
    }

    [Fact]
    public void a_series_goes_on_over_a_new_anchor_that_was_measured_beside_the_old_one()
    {
        var series = Anchored(overlaps: 5);
        var (points, warning) = series.Spliced();
        warning.ShouldBeNull();
        points.Count.ShouldBe(40);
        points.ShouldAllBe(point => Math.Abs(point.Change - 0.10) < 0.005, "head is where it was: only what it is measured against became 7 % slower");
        ChangePoints.Of([.. points.Select(point => point.Change)]).ShouldBeEmpty();
    }

    [Fact]
    public void without_the_overlap_the_series_begins_anew_and_says_so()
    {
        var (points, warning) = Anchored(overlaps: 4).Spliced();
        points.Count.ShouldBe(20);
        warning!.ShouldContain("with 4 sessions that measured both (5 are needed)");
    }

    [Fact]
    public void an_anchor_to_come_is_ready_when_every_series_measured_it_in_five_sessions()
    {
        NextAnchor.Of([Coming(5), Coming(4)]).ShouldBe(new("old", "new", Series: 2, Ready: 1, Fewest: 4, Needed: 5));
        NextAnchor.Of([Coming(5), Coming(9)])!.IsReady.ShouldBeTrue();
        NextAnchor.Of([Coming(0), Coming(9)])!.IsReady.ShouldBeTrue("a series that never measured it says nothing: it may have stopped");
    }

    [Fact]
    public void there_is_no_anchor_to_come_before_one_is_measured_nor_once_it_took_over()
    {
        NextAnchor.Of([Coming(0)]).ShouldBeNull();
        NextAnchor.Of([Anchored(overlaps: 5)]).ShouldBeNull();
        NextAnchor.Of([]).ShouldBeNull();
    }

    [Theory]
    [InlineData(20)]
    [InlineData(100)]
    public void a_p_of_one_in_a_hundred_and_in_a_thousand_is_where_the_simulation_has_it(int count)
    {
        var (bound, rare) = RankCusumSimulation.Bounds(count, 20_000, seed: 11);
        RankCusumBound.PValue(bound, count).ShouldBe(0.01, 0.004);
        RankCusumBound.PValue(rare, count).ShouldBe(0.001, 0.0009);
        RankCusumBound.PValue(rare + 0.5, count).ShouldBeLessThan(0.0005);
        RankCusumBound.PValue(0, count).ShouldBe(1);
    }

    [Fact]
    public void eight_values_have_no_order_that_is_rare_enough() => RankCusum.Change([1, 2, 3, 4, 11, 12, 13, 14]).ShouldBeNull("2 of 70 orders are as clear");

    [Fact]
    public void benjamini_and_hochberg_let_through_what_r_does()
    {
        // p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.5), "BH") <= 0.05: the first four
        BenjaminiHochberg.Pass([0.5, 0.01, 0.04, 0.02, 0.03], 5, 0.05).ShouldBe([false, true, true, true, true]);
        BenjaminiHochberg.Pass([0.01, 0.02], 20, 0.10).ShouldBe([false, false], "what was looked at counts, too: 0.01 > 0.10 x 1 / 20, 0.02 > 0.10 x 2 / 20");
        BenjaminiHochberg.Pass([0.005, 0.02], 20, 0.10).ShouldBe([true, false]);
        BenjaminiHochberg.Pass([], 20, 0.10).ShouldBeEmpty();
    }

    /// <summary>A series against the old anchor, with so many sessions that measured the new one, too.</summary>
    private static TrendSeries Coming(int overlaps)
    {
        var series = Anchored(overlaps);
        return series with { Points = [.. series.Points.Take(20)] };
    }

    private static TrendSeries Anchored(int overlaps)
    {
        var random = SeededRandom.For(5, "anchors");
        return new(
            Name(),
            [.. Enumerable.Range(0, 40).Select(at => new TrendPoint(
                $"s{at}", DateTimeOffset.UnixEpoch.AddDays(at), $"{at:x7}", at < 20 ? "old" : "new", (at < 20 ? 0.10 : 0.03) + (0.001 * random.NextNormal()), null))])
        {
            Overlaps = [.. Enumerable.Range(0, overlaps).Select(_ => new AnchorOverlap("old", "new", 0.07 + (0.001 * random.NextNormal())))],
        };
    }

    private static SeriesName Name(
        string workload = "w", string runtime = "net10.0.14", string commit = "aaaaaaa", SessionMachine? machine = null, Dictionary<string, string>? against = null)
    {
        var metric = new Metric("time", "s", Better.Lower, Primary: true);
        Arm head = new() { Id = "head", Dimensions = new Dictionary<string, string> { ["source"] = commit } };
        return SeriesName.Of(
            new()
            {
                Id = "c001",
                Workload = workload,
                Dimensions = new Dictionary<string, string> { ["runtime"] = runtime },
                Parameters = new Dictionary<string, string>(),
                Arms = [new() { Id = "base", Dimensions = against ?? [] }, head],
                Metrics = [metric],
            },
            head, metric, machine ?? Machine);
    }
}
