using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;
using PerfLab.Reports.Why;
using PerfLab.Reports;
using PerfLab.Core.Tests.Planning;
using PerfLab.Core.Tests.Reporting.Support;
using static PerfLab.Core.Tests.Planning.Workloads;

namespace PerfLab.Core.Tests.Reporting;

/// <summary>Names of cells and arms as planning makes them: what somebody asked for is named, what follows from it is not.</summary>
public sealed class CellLabelsTests
{
    private static readonly PerfLab.Core.Model.Workload Spin = Planning.Workloads.Spin with
    {
        Build = Planning.Workloads.Spin.Build with { Runtimes = ["netcoreapp3.1", "net8.0", "net10.0"] },
    };

    [Fact]
    public void a_runtime_says_all_that_comes_with_it() =>
        Labels(Request(Arm("base", "slower=0"), Arm("head", "slower=1")).With("runtime", "*"))
            .ShouldBe(["calibrated-spin / netcoreapp3.1.3 / pgo off", "calibrated-spin / net8.0.33 / pgo on", "calibrated-spin / net10.0.14 / pgo on"]);

    [Fact]
    public void arms_over_pgo_leave_the_runtime_alone_in_the_name_and_no_ids_where_the_arm_tells_the_rows_apart() =>
        Labels(Request(Arm("off", "pgo=off"), Arm("on", "pgo=on"), Arm("full", "pgo=full")).With("runtime", "netcoreapp3.1", "net8.0"))
            .ShouldBe(["calibrated-spin / netcoreapp3.1.3", "calibrated-spin / netcoreapp3.1.3", "calibrated-spin / netcoreapp3.1.3", "calibrated-spin / net8.0.33"]);

    [Fact]
    public void a_knob_that_was_chosen_is_named_in_every_cell_also_where_its_value_is_the_usual_one() =>
        Labels(Request(Arm("base", "slower=0"), Arm("head", "slower=1")).With("runtime", "net8.0", "net10.0").With("quick-jit-for-loops", "on", "off"))
            .ShouldBe(
            [
                "calibrated-spin / net8.0.33 / pgo on / quick-jit-for-loops on", "calibrated-spin / net8.0.33 / pgo on / quick-jit-for-loops off",
                "calibrated-spin / net10.0.14 / pgo on / quick-jit-for-loops on", "calibrated-spin / net10.0.14 / pgo on / quick-jit-for-loops off",
            ]);

    [Fact]
    public void limits_that_somebody_asked_for_are_named_although_every_cell_has_the_same() =>
        Labels(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("cpus", "1").With("memory", "256MiB"))
            .ShouldBe(["calibrated-spin / net10.0.14 / cpus 1 / memory 256MiB"]);

    [Fact]
    public void a_benchmark_goes_by_type_method_and_parameters() =>
        Labels(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("benchmark", "*"), Benchmarks("My.Own.Parsing.Numbers(text: \"a.b\")", "My.Own.Lists<Int32>.Make", "Plain.Make"))
            .ShouldBe(["Parsing.Numbers(text: \"a.b\") / net10.0.14", "Lists<Int32>.Make / net10.0.14", "Plain.Make / net10.0.14"]);

    [Theory]
    [InlineData("Parsing.Scan against Parsing.Split", "My.Parsing.Split", "My.Parsing.Scan")]
    [InlineData("Parsing.Split", "My.Parsing.Split", "My.Parsing.Split")]
    [InlineData("several against Parsing.Split", "My.Parsing.Split", "My.Parsing.Scan", "My.Parsing.Jump")]
    public void arms_that_each_name_a_benchmark_name_the_row(string expected, params string[] benchmarks)
    {
        var cell = SampleReports.Cell("c1", "My.Benchmarks", "net8.0.33", "on") with
        {
            Arms = [.. benchmarks.Select((name, index) => new Arm { Id = FormattableString.Invariant($"a{index}"), Dimensions = new Dictionary<string, string> { ["benchmark"] = name } })],
        };
        JitCell.Labels([cell])("c1").ShouldBe($"{expected} / net8.0.33 / pgo on");
    }

    [Fact]
    public void cells_that_nothing_but_their_id_tells_apart_show_it()
    {
        var cell = SampleReports.Cell("c1", "json", "net8.0.33", "on");
        var label = JitCell.Labels([cell, cell with { Id = "c2" }]);
        (label("c1"), label("c2"), label("c3")).ShouldBe(("json / net8.0.33 / pgo on (c1)", "json / net8.0.33 / pgo on (c2)", "c3"));
    }

    [Theory]
    [InlineData("runtime=netcoreapp3.1", "runtime=net8.0", "pgo=off,runtime=netcoreapp3.1.3", "pgo=on,runtime=net8.0.33")]
    [InlineData("pgo=on", "pgo=full", "pgo=on", "pgo=full")]
    [InlineData("runtime=net8.0,gc=workstation", "runtime=net10.0,gc=server", "gc=workstation,runtime=net8.0.33", "gc=server,runtime=net10.0.14")]
    [InlineData("gc=server,datas=off", "gc=server,datas=on", "datas=off,gc=server", "datas=on,gc=server")]
    public void the_head_of_a_report_names_what_was_asked_for(string one, string other, string expected, string expectedOther)
    {
        var cells = Cells(Request(Arm("base", one.Split(',')), Arm("head", other.Split(','))));
        var report = Report.From(SampleReports.Of([SampleReports.Figures("c001")], new(0, 0, 0, 0, 0, 0, 0, 0)), new ReportContext { Cells = cells });
        (report.Base, report.Head).ShouldBe((expected, expectedOther));
    }

    private static string[] Labels(BenchmarkRequest request, params PerfLab.Core.Model.Workload[] workloads)
    {
        var cells = Cells(request, workloads);
        return [.. cells.Select(cell => JitCell.Labels(cells)(cell.Id))];
    }

    private static List<Cell> Cells(BenchmarkRequest request, params PerfLab.Core.Model.Workload[] workloads)
    {
        var result = Plan(request, workloads.Length == 0 ? [Spin] : workloads);
        result.Problems.ShouldBeEmpty();
        return [.. result.Plan!.Cells.Select(cell => cell.ToCell(_ => null, _ => null, null))];
    }
}
