using PerfLab.Core.Model;
using PerfLab.Reports.Curves;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.Reporting.Curves;

public sealed class SessionCurvesTests
{
    [Fact]
    public void a_varied_number_makes_a_line_for_each_cell_and_its_first_value_is_the_reference()
    {
        var curve = Curves(SampleSweeps.Batches())[0];
        curve.Name.ShouldBe("curve-channel-actors-throughput");
        curve.Dimension.ShouldBe("batch");
        curve.Reference.ShouldBe("batch=1");
        curve.Series.Select(series => series.Name).ShouldBe(["net8.0.33, pgo off", "net8.0.33, pgo on", "net10.0.14, pgo off", "net10.0.14, pgo on"]);
        curve.Series.ShouldAllBe(series => series.Points.Select(point => point.X).SequenceEqual(new[] { "1", "5", "30", "200" }));
        curve.Series.SelectMany(series => series.Points).Count(point => point.IsReference).ShouldBe(4);
        curve.Series.SelectMany(series => series.Points).ShouldAllBe(point => point.IsReference == (point.Compared == null));
    }

    [Fact]
    public void cells_over_a_number_make_a_line_for_each_arm_in_the_order_of_the_numbers()
    {
        var curve = Curves(SampleSweeps.Clients()).ShouldHaveSingleItem();
        curve.Dimension.ShouldBe("clients");
        curve.Reference.ShouldBe("pgo=off");
        curve.Series.Select(series => series.Name).ShouldBe(["pgo off", "pgo on"]);
        curve.Series[1].Points.Select(point => point.Number).ShouldBe([1, 10, 100, 1000, 10000]);
        curve.Series[0].Points.ShouldAllBe(point => point.IsReference);
        curve.Series[1].Points.ShouldAllBe(point => point.Compared!.Change < -0.2);
    }

    [Fact]
    public void sizes_of_memory_are_numbers_of_mebibytes()
    {
        var curve = Curves(SampleSweeps.Memory()).ShouldHaveSingleItem();
        (curve.Dimension, curve.IsNumeric).ShouldBe(("memory", true));
        curve.Series[0].Points.Select(point => (point.X, point.Number)).ShouldBe([("64MiB", 64), ("256MiB", 256), ("1GiB", 1024)]);
        PerfLab.Reports.Svg.CurveSvg.Render(curve).ShouldContain("memory (MiB)");
    }

    [Fact]
    public void a_dimension_of_words_keeps_the_order_of_the_plan()
    {
        var curve = Curves(SampleSweeps.Knobs()).ShouldHaveSingleItem();
        curve.IsNumeric.ShouldBeFalse();
        curve.Series[0].Points.Select(point => point.X).ShouldBe(["off", "on", "full"]);
    }

    [Fact]
    public void knobs_that_follow_from_the_runtime_or_the_swept_one_neither_name_a_line_nor_cut_it()
    {
        var curve = Curves(PlannedSweeps.PgoByRuntime()).ShouldHaveSingleItem();
        (curve.Dimension, curve.Reference).ShouldBe(("pgo", "pgo=off"));
        curve.Series.Select(series => series.Name).ShouldBe(["netcoreapp3.1.3", "net8.0.33", "net10.0.14"]);
        curve.Series.Select(series => string.Join(' ', series.Points.Select(point => point.X))).ShouldBe(["off", "off on full", "off on full"]);
        // What tells that the test is about something: the journal does hold them.
        PlannedSweeps.PgoByRuntime().Header.Cells[^1].Arms.Select(arm => arm.Dimensions["readytorun"]).ShouldBe(["on", "on", "off"]);
    }

    [Fact]
    public void a_knob_that_somebody_chose_makes_lines_of_its_own()
    {
        var samples = PlannedSweeps.PgoByRuntime();
        var chosen = samples with { Header = samples.Header with { Cells = [.. samples.Header.Cells.Select(cell => cell with { Dimensions = new Dictionary<string, string>(cell.Dimensions) { ["gc"] = cell.Id == "c004" ? "server" : "workstation" } })] } };
        Curves(chosen).Single().Series.Select(series => series.Name).ShouldBe(["netcoreapp3.1.3, gc workstation", "net8.0.33, gc server", "net10.0.14, gc workstation"]);
    }

    [Fact]
    public void arms_that_step_in_two_dimensions_at_once_are_one_line()
    {
        var samples = SampleSweeps.Batches();
        Arm Stepping(Arm arm) => arm with { Dimensions = new Dictionary<string, string>(arm.Dimensions) { ["fan-out"] = "f" + arm.Dimensions["batch"] } };
        var stepping = samples with { Header = samples.Header with { Cells = [.. samples.Header.Cells.Select(cell => cell with { Arms = [.. cell.Arms.Select(Stepping)] })] } };
        var curve = Curves(stepping)[0];
        curve.Dimension.ShouldBe("batch");
        curve.Series.Select(series => series.Points.Count).ShouldBe([4, 4, 4, 4]);
    }

    [Fact]
    public void two_values_make_no_curve()
    {
        var samples = SampleSweeps.Knobs();
        Curves(samples with { Header = samples.Header with { Cells = [.. samples.Header.Cells.Take(1).Select(cell => cell with { Arms = [.. cell.Arms.Take(2)] })] }, Launches = [.. samples.Launches.Where(launch => launch.Cell == "c001" && launch.Arm != "full")] })
            .ShouldBeEmpty();
    }

    [Fact]
    public void a_point_that_was_not_measured_stays_in_the_curve_without_a_value()
    {
        var point = Curves(SampleSweeps.OneArm()).ShouldHaveSingleItem().Series.ShouldHaveSingleItem().Points[2];
        point.X.ShouldBe("3");
        (point.Value, point.Low, point.Launches).ShouldBe((null, null, 0));
    }

    [Fact]
    public void base_against_base_is_two_lines_and_not_one_with_every_point_twice()
    {
        var samples = SampleSweeps.Clients();
        var cells = samples.Header.Cells.Select(cell => cell with { Arms = [.. cell.Arms.Select(arm => arm with { Dimensions = new Dictionary<string, string>() })] });
        Curves(samples with { Header = samples.Header with { Cells = [.. cells] } }).ShouldHaveSingleItem().Series.Select(series => series.Name).ShouldBe(["off", "on"]);
    }

    [Fact]
    public void the_value_is_the_median_of_the_stage_that_decides_and_lies_in_its_interval()
    {
        var samples = SampleSweeps.Knobs();
        // What a screen of another level said must not leak into a confirmed point.
        var screened = samples.Launches.Select(launch => launch with { Stage = Stage.Screen, Metrics = launch.Metrics.ToDictionary(pair => pair.Key, pair => 10 * pair.Value) });
        var both = Curves(samples with { Launches = [.. screened, .. samples.Launches] })[0];
        both.Series.ShouldAllBe(series => series.Points.All(point => point.Value < 1e5 && point.Low <= point.Value && point.Value <= point.High));
    }

    [Fact]
    public void time_to_steady_gets_its_own_curve_where_every_launch_kept_windows()
    {
        var curves = Curves(SampleSweeps.Batches());
        curves.Select(curve => curve.Name).ShouldBe(["curve-channel-actors-throughput", "curve-channel-actors-time-to-steady"]);
        curves[1].Series.Where(series => series.Name.EndsWith("pgo on", StringComparison.Ordinal)).ShouldAllBe(series => series.Points.All(point => point.Value > 0.9));
        curves[1].Series.Where(series => series.Name.EndsWith("pgo off", StringComparison.Ordinal)).ShouldAllBe(series => series.Points.All(point => point.Value < 0.8));
    }

    private static IReadOnlyList<Curve> Curves(SampleSet samples) => SessionCurves.Of(samples, SampleSweeps.Report(samples).Comparison);
}
