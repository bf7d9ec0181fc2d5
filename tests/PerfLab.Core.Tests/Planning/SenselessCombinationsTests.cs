using PerfLab.Core.Planning.Plans;
using static PerfLab.Core.Tests.Planning.Workloads;

namespace PerfLab.Core.Tests.Planning;

public class SenselessCombinationsTests
{
    private static readonly PerfLab.Core.Model.Workload Old = Spin with
    {
        Build = Spin.Build with { Runtimes = ["netcoreapp3.1", "net6.0", "net8.0", "net10.0"] },
    };

    private static RunPlan Planned(PerfLab.Core.Planning.Requests.BenchmarkRequest request, params PerfLab.Core.Model.Workload[] workloads)
    {
        var result = Plan(request, workloads);
        result.Problems.ShouldBeEmpty();
        return result.Plan!;
    }

    [Theory]
    [InlineData("pgo=on,tiering=off", "pgo=on does not go with tiering=off")]
    [InlineData("runtime=netcoreapp3.1,pgo=on", "pgo=on does not go with runtime=netcoreapp3.1")]
    [InlineData("datas=on", "datas=on does not go with gc=workstation")]
    public void an_arm_that_makes_no_sense_anywhere_is_refused_with_the_reason(string arm, string expected) =>
        Plan(Request(Bare("base"), Arm("head", arm.Split(','))), Old).Problems.Single().ToString().ShouldContain(expected);

    [Fact]
    public void values_for_the_cells_that_make_no_sense_anywhere_are_refused_all_at_once()
    {
        var problems = Plan(Request(Bare("head")).With("tiering", "off").With("pgo", "on").With("osr", "on").With("runtime", "net8.0", "net10.0"), Old).Problems;
        problems.Select(problem => problem.What).ShouldBe(
        [
            "pgo=on does not go with tiering=off: the profile is collected by the first tier, and without tiering there is none.",
            "osr=on does not go with tiering=off: without tiering no loop runs in quick code.",
        ]);
        problems.ShouldAllBe(problem => problem.Try != null);
    }

    [Fact]
    public void server_gc_is_refused_for_a_workload_with_one_cpu_and_planned_for_the_others()
    {
        var one = Old with { Name = "one", Resources = Old.Resources with { Cpus = 1 } };
        Plan(Request(Bare("head")).With("gc", "server"), one).Problems.Single().ToString().ShouldContain("gc=server does not go with one CPU");
        var plan = Planned(Request(Bare("head")).With("gc", "server"), one, Old);
        plan.Cells.Select(cell => cell.Unavailable is null).ShouldBe([false, true]);
    }

    [Fact]
    public void a_product_of_lists_measures_what_makes_sense_and_says_why_the_rest_does_not()
    {
        var plan = Planned(Request(Bare("head")).With("tiering", "on", "off").With("pgo", "on", "off"), Old);
        plan.Cells.Select(cell => $"{cell.Dimensions["tiering"]} {cell.Dimensions["pgo"]} {cell.Unavailable is null}")
            .ShouldBe(["on on True", "on off True", "off on False", "off off True"]);
        plan.Cells[2].Unavailable!.ShouldStartWith("pgo=on does not go with tiering=off");
        plan.Screen.ShouldAllBe(round => round.Cell != plan.Cells[2].Id);
    }

    [Fact]
    public void arms_that_make_no_sense_in_a_cell_get_a_row_of_their_own_and_leave_the_others_alone()
    {
        var plan = Planned(Request(Arm("off", "pgo=off"), Arm("on", "pgo=on"), Arm("full", "pgo=full")).With("runtime", "netcoreapp3.1", "net8.0"), Old);
        plan.Cells.Select(cell => $"{cell.Dimensions["runtime"]}: {string.Join(' ', cell.Arms.Select(arm => arm.Id))}: {cell.Unavailable}").ShouldBe(
        [
            "netcoreapp3.1.3: off: ",
            "netcoreapp3.1.3: off on: pgo=on does not go with runtime=netcoreapp3.1: dynamic PGO came with .NET 6.",
            "netcoreapp3.1.3: off full: pgo=full does not go with runtime=netcoreapp3.1: dynamic PGO came with .NET 6.",
            "net8.0.33: off on full: ",
        ]);
    }

    [Fact]
    public void a_runtime_that_cant_be_had_takes_only_its_own_arm_away()
    {
        var plan = Planned(Request(Arm("net8.0", "runtime=net8.0"), Arm("net7.0", "runtime=net7.0"), Arm("net10.0", "runtime=net10.0")), Old);
        plan.Cells.Select(cell => $"{string.Join(' ', cell.Arms.Select(arm => arm.Id))}: {cell.Unavailable}")
            .ShouldBe(["net8.0 net10.0: ", "net8.0 net7.0: no package source has .NET 7.0.20"]);
    }

    [Fact]
    public void a_cell_without_its_reference_compares_nothing()
    {
        var plan = Planned(Request(Arm("on", "pgo=on"), Arm("off", "pgo=off")).With("runtime", "netcoreapp3.1", "net8.0"), Old);
        plan.Cells.Select(cell => $"{cell.Arms.Count} {cell.Unavailable is null}").ShouldBe(["2 False", "2 True"]);
    }

    [Fact]
    public void defaults_that_differ_between_arms_are_said_in_the_arms()
    {
        var cell = Planned(Request(Arm("base", "runtime=netcoreapp3.1"), Arm("head", "runtime=net8.0")), Old).Cells.Single();
        cell.Arms[0].Dimensions.ShouldBe(new Dictionary<string, string> { ["runtime"] = "netcoreapp3.1.3", ["pgo"] = "off", ["quick-jit-for-loops"] = "off", ["osr"] = "off" }, ignoreOrder: true);
        cell.Arms[1].Dimensions.ShouldBe(new Dictionary<string, string> { ["runtime"] = "net8.0.33", ["pgo"] = "on", ["quick-jit-for-loops"] = "on", ["osr"] = "on" }, ignoreOrder: true);
        cell.Dimensions.Keys.ShouldBe(["datas", "gc", "readytorun", "tiering"]);
        cell.Arms[0].Environment.Select(pair => pair.Key).ShouldBe(cell.Arms[1].Environment.Select(pair => pair.Key));
        cell.Arms.ShouldAllBe(arm => arm.Environment.Any(pair => pair.Key == "COMPlus_TieredPGO"));
    }

    private static readonly PerfLab.Core.Model.Workload Actors = Old with
    {
        Frameworks =
        [
            new()
            {
                Name = "orleans", Property = "OrleansVersion", Versions = ["3.8.0", "7.2.7", "8.2.0", "9.2.1"], Default = "8.2.0",
                Needs = new Dictionary<string, string> { ["8.0"] = "net8.0", ["3.0"] = "netcoreapp3.1", ["7.0"] = "net7.0" },
            },
        ],
    };

    [Theory]
    [InlineData("orleans@9.2.1", "net6.0", "framework=orleans@9.2.1 does not go with runtime=net6.0.36: from orleans 8.0 on it needs net8.0 or later. It runs on: net8.0, net10.0. On net6.0 run: orleans@3.8.0.")]
    [InlineData("orleans@7.2.7", "netcoreapp3.1", "from orleans 7.0 on it needs net7.0 or later. It runs on: net8.0, net10.0. On netcoreapp3.1 run: orleans@3.8.0.")]
    [InlineData("orleans", "net6.0", "framework=orleans@8.2.0 does not go with runtime=net6.0.36")]
    [InlineData("orleans@10.0.0", "net6.0", "framework=orleans@10.0.0 does not go with runtime=net6.0.36")]
    public void a_framework_version_that_a_runtime_can_not_run_is_refused_with_what_is_valid(string framework, string runtime, string expected) =>
        Plan(Request(Bare("base"), Arm("head", $"framework={framework}", $"runtime={runtime}")), Actors).Problems.Single().ToString().ShouldContain(expected);

    [Fact]
    public void a_framework_version_that_the_runtime_can_run_is_planned()
    {
        Planned(Request(Bare("head")).With("framework", "orleans@3.8.0").With("runtime", "netcoreapp3.1", "net6.0", "net8.0"), Actors).Cells.ShouldAllBe(cell => cell.Unavailable == null);
        Planned(Request(Bare("head")).With("framework", "orleans@7").With("runtime", "net8.0"), Actors).Cells.Single().Unavailable.ShouldBeNull();
    }

    [Fact]
    public void framework_versions_times_runtimes_keep_the_valid_ones()
    {
        var plan = Planned(Request(Arm("3", "framework=orleans@3"), Arm("9", "framework=orleans@9")).With("runtime", "net6.0", "net10.0"), Actors);
        plan.Cells.Select(cell => $"{cell.Dimensions["runtime"]}: {string.Join(' ', cell.Arms.Select(arm => arm.Id))} {cell.Unavailable is null}")
            .ShouldBe(["net6.0.36: 3 True", "net6.0.36: 3 9 False", "net10.0.14: 3 9 True"]);
    }

    [Fact]
    public void a_patch_that_this_workload_can_not_have_is_refused_alone_and_a_row_among_others()
    {
        var web = Old with { Name = "web", Build = Old.Build with { AspNetCore = true } };
        Plan(Request(Bare("head")).With("runtime", "netcoreapp3.1.3"), web).Problems.Single().ToString().ShouldContain("web needs ASP.NET Core 3.1.3, which nobody has");
        Planned(Request(Bare("head")).With("runtime", "netcoreapp3.1.3"), web, Old).Cells.Select(cell => cell.Unavailable).ShouldBe(["web needs ASP.NET Core 3.1.3, which nobody has", null]);
    }

    [Fact]
    public void a_runtime_that_no_workload_claims_is_refused_and_one_that_some_claim_is_a_row()
    {
        var young = Old with { Name = "young", Build = Old.Build with { Runtimes = ["net10.0"] } };
        Plan(Request(Bare("head")).With("runtime", "net6.0"), young).Problems.Single().What.ShouldBe("young does not run on net6.0: it claims net10.0.");
        Planned(Request(Bare("head")).With("runtime", "net6.0"), young, Old).Cells.Select(cell => cell.Unavailable).ShouldBe(["young does not run on net6.0: it claims net10.0.", null]);
    }

    [Fact]
    public void every_knob_is_set_in_every_cell_with_or_without_being_asked_for()
    {
        foreach (var cell in Planned(Request(Bare("head")).With("runtime", "*").With("gc", "*"), Old).Cells)
        {
            var arm = cell.Arms.Single();
            arm.Environment.Count(pair => pair.Key.StartsWith("DOTNET_", StringComparison.Ordinal)).ShouldBe(11);
        }
    }
}
