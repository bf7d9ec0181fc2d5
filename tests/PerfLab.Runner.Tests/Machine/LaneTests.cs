using PerfLab.Machine.Hygiene;
using PerfLab.Machine.SelfTests;
using PerfLab.Core.Model;
using PerfLab.Machine.Kernel;
using PerfLab.Runner.Flow.Lanes;
using PerfLab.Runner.Flow.Machines;
using static System.FormattableString;

namespace PerfLab.Runner.Tests.Machine;

public class LaneTests
{
    [Fact]
    public void two_cores_of_this_machine_are_measured_alone_and_beside_each_other()
    {
        var cores = LaneCores.Of(kept: null).Lanes;
        Assert.SkipWhen(cores.Count < 2, "this machine gives one core only");
        var figures = LaneTest.Run(TimeProvider.System, [.. cores.TakeLast(2)], pairs: 3).ShouldNotBeNull();
        figures.Select(figure => figure.Kind).ShouldBe(["arithmetic", "memory", "systemCalls"]);
        figures.ShouldAllBe(figure => figure.Lanes == 2 && cores.Contains(figure.Core) && figure.AloneSeconds > 0 && figure.TogetherSeconds > 0 && figure.Spread >= 0);
    }

    [Fact]
    public void a_core_that_is_not_there_is_no_figure() =>
        LaneTest.Run(TimeProvider.System, [8190, 8191], pairs: 3).ShouldBeNull();

    [Theory]
    [InlineData(0, "")]
    [InlineData(1, "")]
    [InlineData(2, "2")]
    [InlineData(3, "2 3")]
    [InlineData(8, "2 4 8")]
    [InlineData(12, "2 4 8 12")]
    public void numbers_of_lanes_that_are_tried(int cores, string lanes) =>
        string.Join(' ', LaneTest.Counts(cores)).ShouldBe(lanes);

    [Theory]
    [InlineData(0.0, 0.0, 0.0, 4)]
    [InlineData(0.009, -0.009, 0.0099, 4)]
    [InlineData(0.0, 0.0, 0.011, 2)]
    [InlineData(0.0, 0.2, 0.0, 1)]
    [InlineData(-0.02, 0.0, 0.0, 1)]
    public void lanes_are_quiet_up_to_the_first_number_where_one_kind_of_work_is_disturbed(double two, double twoMemory, double four, int most)
    {
        LaneFigure[] figures = [Figure(2, "arithmetic", two), Figure(2, "memory", twoMemory), Figure(4, "arithmetic", four)];
        LaneTest.MostQuiet(figures).ShouldBe(most);
        var findings = LaneFindings.Of(new LaneRecord("m", "t", "4-7", "0-3", figures));
        findings[^1].Value.ShouldBe(most == 1 ? "none; core 0-3 stays with the lab" : Invariant($"{most} of cores 4-7; core 0-3 stays with the lab"));
        findings.Count(finding => finding.Severity == HygieneSeverity.Warn).ShouldBe(figures.Count(figure => !figure.IsQuiet));
    }

    [Fact]
    public void a_finding_has_its_figures_and_what_to_do()
    {
        var found = LaneFindings.Of(Record("", Figure(2, "memory", 0.312)));
        (found[0].Name, found[0].Value).ShouldBe(
            ("2 lanes, memory", "20.00 ms alone, 26.24 ms beside a busy core: +31.2 %, at most 31.2 % (spread 0.0 %, core 1)"));
        found[0].Fix.ShouldNotBeNull().ShouldContain("one cell at a time");
        found[1].Value.ShouldBe("none; the lab's own work needs a core, too");
    }

    [Fact]
    public void a_machine_that_is_too_noisy_to_tell_shows_nothing()
    {
        var noisy = Figure(2, "memory", 0.001) with { Spread = 0.05 };
        noisy.Bound.ShouldBe(0.001 + (2 * 1.2533 * 0.05 / Math.Sqrt(15)), tolerance: 1e-12);
        LaneTest.MostQuiet([noisy]).ShouldBe(1);
        LaneFindings.Of(Record("0", noisy))[0].Fix.ShouldNotBeNull().ShouldContain("while other programs run");
    }

    [Theory]
    [InlineData("0", 2)]
    [InlineData("", 1)]
    public void the_lab_needs_a_core_that_is_no_lane(string lab, int quiet) => Record(lab, Figure(2, "memory", 0)).Quiet.ShouldBe(quiet);

    [Theory]
    [InlineData(2, 1, "6 7")]
    [InlineData(2, 2, "4,5 6,7")]
    [InlineData(1, 3, "5,6,7")]
    [InlineData(5, 1, null)]
    [InlineData(int.MaxValue, int.MaxValue, null)]
    public void lanes_are_disjoint_and_of_the_last_cores(int lanes, int each, string? sets) =>
        new LaneCores([4, 5, 6, 7], [0]).Split(lanes, each)?.Select(set => string.Join(',', set)).Aggregate((one, other) => $"{one} {other}").ShouldBe(sets);

    [Fact]
    public void what_was_kept_is_read_again_and_damage_is_nothing()
    {
        using var store = new TemporaryStore();
        LaneRecord.Read(store.Path).ShouldBeNull();
        var record = Record("0", Figure(2, "memory", 0.0042));
        record.Write(store.Path);
        var read = LaneRecord.Read(store.Path).ShouldNotBeNull();
        (read with { Figures = record.Figures }).ShouldBe(record);
        read.Figures.ShouldBe(record.Figures);
        File.WriteAllText(LaneRecord.FileIn(store.Path), "{\"machine\":");
        LaneRecord.Read(store.Path).ShouldBeNull();
    }

    [Theory]
    [InlineData("other", "1-4", "0", 4, 2, 1, "of another start of this machine")]
    [InlineData("m", "1-3", "0", 4, 2, 1, "are of cores 1-3, and now it would be 1-4")]
    [InlineData("m", "1-4", "", 4, 2, 1, "are of cores 1-4, and now it would be 1-4")]
    [InlineData("m", "1-4", "0", 2, 4, 1, "4 lanes of 1 core keep 4 busy, and doctor --lanes (t) showed 2 of cores 1-4 to be quiet")]
    [InlineData("m", "1-4", "0", 2, 2, 2, "2 lanes of 2 cores keep 4 busy, and doctor --lanes (t) showed 2 of cores 1-4 to be quiet")]
    [InlineData("m", "1-4", "0", 1, 2, 1, "showed none to be quiet beside each other (2 busy, memory: +31.2 %, at most 31.2 %")]
    public void lanes_are_refused_with_the_figures(string machine, string measured, string lab, int quiet, int lanes, int each, string why)
    {
        var record = new LaneRecord(machine, "t", measured, lab, [Figure(2, "memory", quiet >= 2 ? 0 : 0.312), Figure(4, "memory", quiet >= 4 ? 0 : 0.5)]);
        var refused = Should.Throw<LabException>(() => LaneStep.Cores(record, "m", new LaneCores([1, 2, 3, 4], [0]), lanes, each));
        refused.Message.ShouldContain(why);
        refused.DoNext.ShouldContain("measure the shards one after another");
    }

    [Fact]
    public void as_many_as_were_shown_to_be_quiet_are_let_through() =>
        LaneStep.Cores(new("m", "t", "1-4", "0", [Figure(2, "memory", 0), Figure(4, "memory", 0)]), "m", new([1, 2, 3, 4], [0]), 2, 2)
            .ShouldBe([[1, 2], [3, 4]]);

    [Fact]
    public void without_figures_doctor_is_what_to_do() =>
        Should.Throw<LabException>(() => LaneStep.Cores(null, "m", new([1, 2], [0]), 2, 1)).DoNext.ShouldContain("doctor --lanes` measures it");

    [Fact]
    public void the_lab_keeps_to_its_cores_while_lanes_are_measured()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "no other system pins threads");
        var before = LaneCores.Of(kept: null) is var cores ? cores.Lanes.Concat(cores.Lab).Order().ToList() : [];
        using (new LabThreads([before[0]]))
        {
            Seen().ShouldBe([before[0]]);
        }

        Seen().ShouldBe(before);

        static List<int> Seen()
        {
            List<int> seen = [];
            var thread = new Thread(() => seen = LaneCores.Of(kept: null) is var own ? [.. own.Lanes.Concat(own.Lab).Order()] : []);
            thread.Start();
            thread.Join();
            return seen;
        }
    }

    private static LaneRecord Record(string lab, params LaneFigure[] figures) => new("m", "t", "1-2", lab, figures);

    private static LaneFigure Figure(int lanes, string kind, double shift) => new(lanes, kind, 1, 0.02, 0.02 * (1 + shift), shift, 0.0001, LaneTest.Pairs);

    private sealed class TemporaryStore : IDisposable
    {
        public string Path { get; } = Directory.CreateTempSubdirectory("lanes-").FullName;

        public void Dispose() => Directory.Delete(Path, recursive: true);
    }
}
