using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;
using static PerfLab.Core.Tests.Planning.Workloads;

namespace PerfLab.Core.Tests.Planning;

public class PlannerTests
{
    private static RunPlan Planned(PerfLab.Core.Planning.Requests.BenchmarkRequest request, params PerfLab.Core.Model.Workload[] workloads)
    {
        var result = Plan(request, workloads);
        result.Problems.ShouldBeEmpty();
        return result.Plan!;
    }

    [Fact]
    public void every_combination_of_the_set_dimensions_is_a_cell()
    {
        var plan = Planned(Request(Arm("base", "framework=newtonsoft@12.0.3"), Arm("head", "framework=newtonsoft@13.0.3"))
            .With("runtime", "net8.0", "net10.0").With("pgo", "on", "off").With("documents", "100", "1000"), Json);
        plan.Cells.Count.ShouldBe(8);
        plan.Cells.Select(cell => cell.Id).ShouldBeUnique();
        plan.Cells.Select(cell => $"{cell.Dimensions["runtime"]} {cell.Dimensions["pgo"]} {cell.Parameters["documents"]}").ShouldBeUnique();
        plan.Cells[0].Dimensions.Keys.ShouldBe(["datas", "gc", "osr", "pgo", "quick-jit-for-loops", "readytorun", "runtime", "tiering"]);
    }

    [Fact]
    public void arms_hold_only_what_differs_and_the_recipe_holds_what_is_built()
    {
        var cell = Planned(Request(Arm("base", "framework=newtonsoft@12"), Arm("head", "framework=stj")).With("runtime", "net8.0"), Json).Cells.Single();
        cell.Arms[0].Dimensions.ShouldBe(new Dictionary<string, string> { ["framework"] = "newtonsoft@12.0.3" });
        cell.Arms[0].Recipe.Properties.ShouldBe(new Dictionary<string, string> { ["NewtonsoftVersion"] = "12.0.3", ["PerfLabFramework"] = "newtonsoft" }, ignoreOrder: true);
        cell.Arms[1].Recipe.Properties.ShouldBe(new Dictionary<string, string> { ["PerfLabFramework"] = "stj" });
        cell.Arms[0].Recipe.RuntimePatch.ShouldBe("8.0.33");
        cell.Arms[0].Recipe.TargetFramework.ShouldBe("net8.0");
    }

    [Fact]
    public void a_layout_is_built_in_and_is_nothing_that_a_launch_sees()
    {
        var cell = Planned(Request(Arm("base", "layout=7"), Arm("head", "layout=0042")), Json).Cells.Single();
        cell.Arms[0].Recipe.Properties["PerfLabLayout"].ShouldBe("7");
        cell.Arms[1].Recipe.Properties["PerfLabLayout"].ShouldBe("42");
        cell.Arms[0].Environment.ShouldBe(cell.Arms[1].Environment);
        Planned(Request(Arm("head", "")), Json).Cells.Single().Dimensions.ContainsKey("layout").ShouldBeFalse();
        Planned(Request(Arm("head", "")), Json).Cells.Single().Arms[0].Recipe.Properties.ContainsKey("PerfLabLayout").ShouldBeFalse();
    }

    [Fact]
    public void packages_are_built_in_and_nothing_that_a_launch_sees()
    {
        var cell = Planned(Request(Arm("base", "package=Newtonsoft.Json@12.0.3"), Arm("head", "package=b.Two@2.0.0-beta.1+A.One@1.0")), Json).Cells.Single();
        cell.Arms[0].Recipe.Properties["PerfLabPackages"].ShouldBe("Newtonsoft.Json@12.0.3");
        cell.Arms[1].Recipe.Properties["PerfLabPackages"].ShouldBe("A.One@1.0+b.Two@2.0.0-beta.1");
        cell.Arms[0].Environment.ShouldBe(cell.Arms[1].Environment);
        Planned(Request(Arm("head", "")), Json).Cells.Single().Arms[0].Recipe.Properties.ContainsKey("PerfLabPackages").ShouldBeFalse();
    }

    [Theory]
    [InlineData("Newtonsoft.Json", "is not a package with its version")]
    [InlineData("Newtonsoft.Json@", "is not a package with its version")]
    [InlineData("Newtonsoft.Json@13.*", "is not a package with its version")]
    [InlineData("Newtonsoft.Json@[1,2)", "is not a package with its version")]
    [InlineData("A\"/><Exec@1.0", "is not a package with its version")]
    [InlineData("../A@1.0", "is not a package with its version")]
    [InlineData("A@1.0+a@2.0", "package a is given twice")]
    public void a_package_that_is_none_is_refused(string text, string expected) =>
        Plan(Request(Arm("base", "package=B@1"), Arm("head", $"package={text}")), Json).Problems.ShouldHaveSingleItem().ToString().ShouldContain(expected);

    [Fact]
    public void a_variable_is_in_the_launches_of_its_arm_and_in_no_other()
    {
        var cell = Planned(Request(Arm("base", ""), Arm("head", "env.DOTNET_GCgen0size=4000000", "env.MY=a=b")).With("env.ALL", "x y"), Json).Cells.Single();
        static string[] Names(PlannedArm arm) => [.. arm.Environment.Select(pair => pair.Key).Where(name => name is "MY" or "ALL" or "DOTNET_GCgen0size")];
        Names(cell.Arms[0]).ShouldBe(["ALL"]);
        Names(cell.Arms[1]).ShouldBe(["ALL", "DOTNET_GCgen0size", "MY"]);
        cell.Arms[1].Environment.Single(pair => pair.Key == "MY").Value.ShouldBe("a=b");
        cell.Dimensions["env.ALL"].ShouldBe("x y");
        cell.Arms[1].Dimensions["env.MY"].ShouldBe("a=b");
    }

    [Theory]
    [InlineData("env.DOTNET_TieredPGO", "0", "DOTNET_TieredPGO is the lab's own. Say pgo=on|off|full.")]
    [InlineData("env.COMPlus_gcserver", "1", "Say gc=workstation|server.")]
    [InlineData("env.DOTNET_TC_QuickJit", "0", "It is the same in every cell.")]
    [InlineData("env.DOTNET_DiagnosticPorts", "x", "Launches prove by it how they ran.")]
    [InlineData("env.PERF_LAB_NONCE", "x", "is the lab's own")]
    [InlineData("env.PATH", "/bin", "PATH is the lab's own")]
    [InlineData("env.", "x", "'' is not the name of a variable.")]
    [InlineData("env.1A", "x", "is not the name of a variable.")]
    [InlineData("env.A B", "x", "is not the name of a variable.")]
    [InlineData("env.A", "two\nlines", "at most 1000 of printable ASCII on one line")]
    public void a_variable_that_can_not_be_varied_is_refused(string name, string value, string expected) =>
        Plan(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With(name, value), Json).Problems.ShouldHaveSingleItem().ToString().ShouldContain(expected);

    [Fact]
    public void a_value_of_four_kibibytes_is_refused() =>
        Plan(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("env.A", new string('x', 4096)), Json)
            .Problems.ShouldHaveSingleItem().ToString().ShouldContain("4096 characters");

    [Fact]
    public void a_cold_cell_warms_up_nothing_is_called_so_and_is_otherwise_as_ever()
    {
        var cells = Planned(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("age", "cold"), Json).Cells;
        cells.ShouldAllBe(cell => cell.Launch == new PerfLab.Core.Model.LaunchTimes(0, 3, 60) && cell.Dimensions["age"] == "cold");
        cells[0].ToCell(_ => null, _ => null, null).IsCold.ShouldBeTrue();
        var warm = Planned(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")), Json).Cells;
        warm.ShouldAllBe(cell => cell.Launch == Json.Launch && !cell.Dimensions.ContainsKey("age"));
        cells[0].Arms.Select(arm => arm.Environment).ShouldBe(warm[0].Arms.Select(arm => arm.Environment));
    }

    [Fact]
    public void a_start_up_is_compared_with_a_start_up_of_a_program_that_can_be_measured_cold()
    {
        Plan(Request(Arm("base", "age=cold"), Arm("head", "pgo=on")), Json).Problems.ShouldContain(problem => problem.ToString().Contains("'age' is the same for all arms", StringComparison.Ordinal));
        Plan(Request(Arm("head", "")).With("age", "warm"), Json).Problems.ShouldHaveSingleItem().ToString().ShouldContain("'warm' is not a value of age. Valid: cold.");
    }

    [Fact]
    public void who_wants_a_start_up_of_another_program_is_told_how_to_get_it()
    {
        Plan(Request(Arm("head", "")).With("age", "cold"), Script).Problems.ShouldHaveSingleItem().ToString().ShouldBe(
            $"--age: measures the start-up of programs that are built with the kit, and {Script.Name} is not. Leave it out: a script decides itself when it "
            + "begins to measure. It is told the warm-up of its workload.yaml (`launch: { warm-up: 0s }`) in PERF_LAB_WARM_UP.");
        Plan(Request(Arm("head", "")).With("age", "cold"), Benchmarks("A.B.C")).Problems.ShouldHaveSingleItem().ToString()
            .ShouldEndWith("is not. Leave it out, and give the benchmark [SimpleJob(RunStrategy.ColdStart)].");
        Plan(Request(Arm("base", "age=cold"), Arm("head", "")), Script).Problems.ShouldHaveSingleItem().Where.ShouldBe("--age");
    }

    [Fact]
    public void arms_of_two_ages_are_one_mistake() =>
        Plan(Request(Arm("cold", "age=cold"), Arm("steady", "age=steady")), Json, Spin).Problems.ShouldHaveSingleItem().ToString().ShouldBe(
            "arms: a start-up is compared with a start-up, so 'age' is the same for all arms. "
            + "Leave 'age' out of the arms; --age cold measures the start-up of each.");

    [Theory]
    [InlineData("-1")]
    [InlineData("1000000")]
    [InlineData("1.5")]
    [InlineData("٣")]
    [InlineData("small")]
    public void a_layout_is_a_number(string layout) =>
        Plan(Request(Arm("head", $"layout={layout}")), Json).Problems.ShouldHaveSingleItem().ToString()
            .ShouldContain($"'{layout}' is not the number of a layout. Between 0 and 999999.");

    [Fact]
    public void both_arms_get_the_same_environment_names_in_the_same_order()
    {
        var cell = Planned(Request(Arm("base", "pgo=off", "slower=0"), Arm("head", "pgo=full", "slower=0.05")), Spin).Cells.Single();
        cell.Arms[0].Environment.Select(pair => pair.Key).ShouldBe(cell.Arms[1].Environment.Select(pair => pair.Key));
        cell.Arms[0].Environment.ShouldContain(new KeyValuePair<string, string>("DOTNET_TieredPGO", "0"));
        cell.Arms[1].Environment.ShouldContain(new KeyValuePair<string, string>("DOTNET_ReadyToRun", "0"));
        cell.Arms[1].Environment.ShouldContain(new KeyValuePair<string, string>("PERF_LAB_PARAM_SLOWER", "0.05"));
    }

    [Fact]
    public void same_il_compiles_the_lowest_target_for_every_arm()
    {
        var plan = Planned(Request(Arm("base", "runtime=net8.0"), Arm("head", "runtime=net10.0")) with { SameIl = true }, Json);
        plan.Cells.Single().Arms.Select(arm => arm.Recipe.TargetFramework).ShouldBe(["net8.0", "net8.0"]);
        plan.Cells.Single().Arms.Select(arm => arm.Recipe.RuntimePatch).ShouldBe(["8.0.33", "10.0.14"]);
    }

    [Fact]
    public void few_pairs_go_straight_to_the_confirm_stage_and_more_are_screened()
    {
        var request = Request(Arm("base", "pgo=off"), Arm("head", "pgo=on"));
        Planned(request, Json).Policy.ScreenRounds.ShouldBe(0);
        var many = Planned(request.With("runtime", "net8.0", "net9.0", "net10.0").With("documents", "100", "1000"), Json);
        (many.Policy.ScreenRounds, many.Policy.ConfirmRounds).ShouldBe((8, 20));
        many.Screen.Count.ShouldBe(8 * 6);
        many.Confirm.Count.ShouldBe(20 * 6);
        Planned(request with { Rounds = (6, 13) }, Json).Policy.ScreenRounds.ShouldBe(6);
    }

    [Fact]
    public void without_arms_one_arm_is_measured_and_nothing_confirmed()
    {
        var plan = Planned(Request(Bare("head")), Json);
        plan.Cells.Single().Arms.Single().Id.ShouldBe("head");
        plan.Confirm.ShouldBeEmpty();
        plan.Screen.Count.ShouldBe(8);
    }

    [Fact]
    public void aa_describes_its_one_arm_in_the_cell_and_launches_it_twice()
    {
        var arm = Arm("base", "runtime=net8.0");
        var cell = Planned(Request(arm, arm with { Id = "head" }) with { IsAa = true }, Json).Cells.Single();
        cell.Dimensions["runtime"].ShouldBe("net8.0.33");
        cell.Arms.ShouldAllBe(one => one.Dimensions.Count == 0);
        cell.Arms.Select(one => one.Id).ShouldBe(["base", "head"]);
    }

    [Fact]
    public void vary_makes_one_cell_with_many_arms()
    {
        var plan = Planned(Request(Arm("stj", "framework=stj"), Arm("newtonsoft@12.0.3", "framework=newtonsoft@12.0.3"), Arm("newtonsoft@13.0.3", "framework=newtonsoft@13.0.3")), Json);
        plan.Cells.Single().Arms.Count.ShouldBe(3);
        plan.Confirm[0].Order.Order().ShouldBe(["newtonsoft@12.0.3", "newtonsoft@13.0.3", "stj"]);
    }

    [Fact]
    public void a_runtime_that_cant_be_had_makes_the_cell_unavailable_and_launches_nothing()
    {
        var plan = Planned(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("runtime", "net7.0", "net8.0"), Json with
        {
            Build = Json.Build with { Runtimes = ["net7.0", "net8.0"] },
        });
        plan.Cells[0].Unavailable.ShouldBe("no package source has .NET 7.0.20");
        plan.Screen.Concat(plan.Confirm).ShouldAllBe(round => round.Cell == plan.Cells[1].Id);
    }

    [Fact]
    public void the_source_path_goes_to_the_property_that_the_manifest_names()
    {
        var cell = Planned(Request(Bare("base"), Arm("head", "source=/src/newtonsoft")), Json).Cells.Single();
        cell.Arms[1].Recipe.Properties["NewtonsoftSource"].ShouldBe("/src/newtonsoft");
        cell.Arms[0].Dimensions.ShouldBeEmpty();
    }

    [Fact]
    public void all_problems_come_at_once_with_the_nearest_names()
    {
        var result = Plan(Request(Arm("base", "framework=newtonsof"), Arm("head", "runtime=net8.1"))
            .With("pgo", "yes").With("documents", "7").With("documnets", "7"), Json);
        result.Plan.ShouldBeNull();
        var text = string.Join("\n", result.Problems);
        text.ShouldContain("'newtonsof' is not a framework of json-round-trip. Did you mean newtonsoft?");
        text.ShouldContain("'net8.1' is not a runtime. Did you mean net8.0");
        text.ShouldContain("'yes' is not a value of pgo. Valid: on, off, full, default.");
        text.ShouldContain("'7' is not a value of documents. Valid: 100, 1000.");
        text.ShouldContain("'documnets' is not a dimension or parameter. Did you mean documents?");
    }

    [Fact]
    public void an_unknown_dimension_does_not_hide_what_else_is_wrong()
    {
        var problems = Plan(Request(Arm("base", "runtime=net8.1", "pgo=yes"), Arm("head", "teiring=off")), Json).Problems.Select(problem => problem.What).ToList();
        problems.ShouldBe(["'teiring' is not a dimension or parameter.", "'net8.1' is not a runtime.", "'yes' is not a value of pgo."], ignoreOrder: true);
    }

    [Theory]
    [InlineData("slower=1e999", "is not a number")]
    [InlineData("slower=-1", "out of range. Between 0 and 10.")]
    [InlineData("slower=abc", "is not a number")]
    [InlineData("slower=NaN", "is not a number")]
    [InlineData("runtime=net7.0", "does not run on net7.0")]
    [InlineData("tierign=off", "Did you mean tiering?")]
    [InlineData("quick-jit=off", "Did you mean quick-jit-for-loops?")]
    [InlineData("datas=yes", "Valid: off, on, default.")]
    public void wrong_values_are_refused_by_name(string arm, string expected) =>
        Plan(Request(Bare("base"), Arm("head", arm)), Spin).Problems.Single().ToString().ShouldContain(expected);

    [Fact]
    public void every_knob_can_be_left_to_the_runtime_and_a_star_does_not_mean_that()
    {
        var cell = Planned(Request(Arm("base", "pgo=default"), Arm("head", "pgo=on")), Json).Cells.Single();
        cell.Arms[0].Environment.ShouldContain(new KeyValuePair<string, string>("DOTNET_TieredPGO", ""));
        Planned(Request(Bare("head")).With("gc", "*"), Json).Cells.Select(planned => planned.Dimensions["gc"]).ShouldBe(["workstation", "server"]);
    }

    [Fact]
    public void a_workload_that_has_packages_and_no_frameworks_says_how_a_package_is_named() =>
        Plan(Request(Bare("head")).With("framework", "akka"), Spin).Problems.Single().ToString()
            .ShouldEndWith("'framework' is not a dimension or parameter. "
                + "Another version of a package that the project refers to: package=NAME@VERSION.");

    [Fact]
    public void a_dimension_cannot_make_both_cells_and_arms() =>
        Plan(Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("pgo", "on"), Json)
            .Problems.Single().ToString().ShouldContain("'pgo' is named for all arms, too. A dimension");

    [Fact]
    public void a_set_dimension_is_skipped_by_workloads_that_lack_it_and_refused_when_all_do()
    {
        Planned(Request(Bare("head")).With("runtime", "net8.0", "net9.0"), Json, Script).Cells.Count.ShouldBe(3);
        Plan(Request(Bare("head")).With("runtime", "net8.0"), Script).Problems.Single().ToString().ShouldContain("'runtime' is not a dimension");
    }

    [Fact]
    public void a_star_means_every_value_that_the_workload_knows() =>
        Planned(Request(Bare("head")).With("runtime", "*").With("framework", "*"), Json).Cells.Count.ShouldBe(3 * 4);

    [Fact]
    public void a_star_also_means_every_newer_release_that_there_is_and_no_older_one()
    {
        var spin = Spin with { Build = Spin.Build with { Runtimes = ["net8.0", "net9.0"] } };
        var result = Planner.Plan(Request(Bare("head")).With("runtime", "*"), new([spin], (text, _) => (new(text, text, text[3..] + ".1", null), null)) { Releases = () => ["net6.0", "net9.0", "net10.0", "net11.0"] });
        result.Plan!.Cells.Select(cell => cell.Dimensions["runtime"]).ShouldBe(["net8.0.1", "net9.0.1", "net10.0.1", "net11.0.1"]);
    }

    [Fact]
    public void a_star_means_the_newest_version_of_a_framework_that_is_served_and_not_all_of_them()
    {
        var served = Json with { Frameworks = [new() { Name = "akka", Property = "AkkaVersion", Packages = ["Akka"], From = "1.4.36", Versions = ["1.5.73", "1.5.74"], Default = "1.5.74" }] };
        Planned(Request(Bare("head")).With("framework", "*"), served).Cells.Select(cell => cell.Dimensions["framework"]).ShouldBe(["akka@1.5.74"]);
    }

    [Fact]
    public void the_same_request_gives_the_same_bytes_and_another_seed_another_order()
    {
        var request = Request(Arm("base", "pgo=off"), Arm("head", "pgo=on")).With("documents", "100", "1000");
        var first = Planned(request, Json);
        PlanFile.File.Write(new(first)).ShouldBe(PlanFile.File.Write(new(Planned(request, Json))));
        Planned(request with { Seed = 8 }, Json).Hash.ShouldNotBe(first.Hash);
    }

    [Fact]
    public void a_layout_of_several_nodes_becomes_their_names_and_one_program_has_none()
    {
        var workload = Spin with
        {
            Parameters = [new() { Name = "nodes", Default = "one", Type = PerfLab.Core.Model.ParameterType.Text, Values = ["one", "2+1"] }],
            Layouts = [new("one", []), new("2+1", [new("sut", 2), new("client", 1)])],
        };
        var cell = Planned(Request(Arm("base", "nodes=one"), Arm("head", "nodes=2+1")), workload).Cells.Single();
        cell.Arms[0].Nodes.ShouldBeNull();
        cell.Arms[1].Nodes.ShouldBe([new("sut-0", "sut"), new("sut-1", "sut"), new("client-0", "client")]);
        cell.Arms[1].Environment.ShouldContain(new KeyValuePair<string, string>("PERF_LAB_PARAM_NODES", "2+1"));
        Planned(Request(Bare("base")), workload).Cells.Single().Arms[0].Nodes.ShouldBeNull("the first layout is the default");
    }
}
