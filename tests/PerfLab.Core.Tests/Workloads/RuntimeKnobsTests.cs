using System.Globalization;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Tests.Workloads;

public class RuntimeKnobsTests
{
    private static readonly string[] Runtimes = ["netcoreapp3.1", "net6.0", "net7.0", "net8.0", "net9.0", "net10.0"];

    private static KnobSetting Settle(string? runtime, params string[] asked) => Settle(runtime, 2, asked);

    private static KnobSetting Settle(string? runtime, int cpus, params string[] asked) => KnobSetting.Settle(
        runtime, cpus, asked.Select(text => text.Split('=')).ToDictionary(pair => pair[0], pair => pair[1]));

    private static IEnumerable<string[]> EveryCombination() => RuntimeKnobs.All.Aggregate(
        (IEnumerable<string[]>)[[]], (before, knob) => before.SelectMany(values => knob.Values.Select(value => (string[])[.. values, $"{knob.Name}={value}"])));

    [Fact]
    public void a_default_never_breaks_a_rule()
    {
        foreach (var runtime in Runtimes.Append(null))
        {
            Settle(runtime, cpus: 1).Clashes.ShouldBeEmpty(runtime);
        }
    }

    [Fact]
    public void one_knob_alone_is_refused_only_by_the_runtime_the_machine_or_the_kind_of_gc()
    {
        foreach (var (runtime, knob) in Runtimes.SelectMany(runtime => RuntimeKnobs.All.Select(knob => (runtime, knob))))
        {
            foreach (var value in knob.Values)
            {
                Settle(runtime, $"{knob.Name}={value}").Clashes.ShouldAllBe(clash => clash.Knob == knob.Name && (clash.Clash.StartsWith("runtime=", StringComparison.Ordinal) || clash.Clash == "gc=workstation"));
            }
        }
    }

    [Theory]
    [InlineData("net8.0", "pgo=on,tiering=off", "pgo=on does not go with tiering=off: the profile is collected by the first tier, and without tiering there is none.")]
    [InlineData("net8.0", "pgo=full,tiering=off", "pgo=full does not go with tiering=off")]
    [InlineData("net8.0", "pgo=full,readytorun=on", "pgo=full does not go with readytorun=on")]
    [InlineData("net8.0", "pgo=full,quick-jit-for-loops=off", "pgo=full does not go with quick-jit-for-loops=off")]
    [InlineData("netcoreapp3.1", "pgo=on", "pgo=on does not go with runtime=netcoreapp3.1: dynamic PGO came with .NET 6.")]
    [InlineData("netcoreapp3.1", "pgo=full", "pgo=full does not go with runtime=netcoreapp3.1")]
    [InlineData("net6.0", "osr=on", "osr=on does not go with runtime=net6.0: on-stack replacement came with .NET 7.")]
    [InlineData("net8.0", "osr=on,tiering=off", "osr=on does not go with tiering=off")]
    [InlineData("net8.0", "osr=on,quick-jit-for-loops=off", "osr=on does not go with quick-jit-for-loops=off")]
    [InlineData("net8.0", "quick-jit-for-loops=on,tiering=off", "quick-jit-for-loops=on does not go with tiering=off")]
    [InlineData("net6.0", "datas=on,gc=server", "datas=on does not go with runtime=net6.0: DATAS came with .NET 8.")]
    [InlineData("net7.0", "datas=on,gc=server", "datas=on does not go with runtime=net7.0")]
    [InlineData("net9.0", "datas=on,gc=workstation", "datas=on does not go with gc=workstation: DATAS is a part of server GC.")]
    [InlineData("net9.0", "datas=on", "datas=on does not go with gc=workstation")]
    public void what_does_not_go_together_is_said_with_the_reason(string runtime, string asked, string expected) =>
        Settle(runtime, asked.Split(',')).Clashes.Single().ToString().ShouldStartWith(expected);

    [Fact]
    public void server_gc_on_one_cpu_is_refused()
    {
        Settle("net8.0", cpus: 1, "gc=server").Clashes.Single().ToString().ShouldBe("gc=server does not go with one CPU: with one CPU the runtime silently uses workstation GC.");
        Settle("net8.0", cpus: 2, "gc=server").Clashes.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("net8.0", "", "tiering on, pgo on, readytorun on, quick-jit-for-loops on, osr on, gc workstation, datas off")]
    [InlineData("net8.0", "tiering=off", "tiering off, pgo off, readytorun on, quick-jit-for-loops off, osr off, gc workstation, datas off")]
    [InlineData("net8.0", "pgo=full", "tiering on, pgo full, readytorun off, quick-jit-for-loops on, osr on, gc workstation, datas off")]
    [InlineData("net8.0", "quick-jit-for-loops=off", "tiering on, pgo on, readytorun on, quick-jit-for-loops off, osr off, gc workstation, datas off")]
    [InlineData("net6.0", "", "tiering on, pgo on, readytorun on, quick-jit-for-loops off, osr off, gc workstation, datas off")]
    [InlineData("net6.0", "pgo=full", "tiering on, pgo full, readytorun off, quick-jit-for-loops on, osr off, gc workstation, datas off")]
    [InlineData("netcoreapp3.1", "", "tiering on, pgo off, readytorun on, quick-jit-for-loops off, osr off, gc workstation, datas off")]
    [InlineData("net10.0", "gc=server,datas=on", "tiering on, pgo on, readytorun on, quick-jit-for-loops on, osr on, gc server, datas on")]
    public void knobs_that_nobody_asked_for_follow_the_runtime_and_those_that_were(string runtime, string asked, string expected) =>
        string.Join(", ", Settle(runtime, asked.Split(',', StringSplitOptions.RemoveEmptyEntries)).Values.Select(pair => $"{pair.Key} {pair.Value}")).ShouldBe(expected);

    [Fact]
    public void a_workload_that_brings_its_own_runtime_is_held_to_no_rule_about_runtimes() =>
        Settle(null, "pgo=on", "osr=on", "gc=server", "datas=on").Clashes.ShouldBeEmpty();

    [Fact]
    public void every_setting_is_a_hexadecimal_number_because_the_runtime_ignores_words()
    {
        foreach (var asked in EveryCombination())
        {
            foreach (var (name, value) in KnobSetting.Environment(Settle("net8.0", asked).Values, alsoComPlus: true))
            {
                int.TryParse(value, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out _).ShouldBeTrue($"{name}={value}");
            }
        }
    }

    [Fact]
    public void every_combination_sets_the_same_names_in_the_same_order_and_different_ones_differ()
    {
        var environments = EveryCombination().Select(asked => KnobSetting.Environment(Settle("net8.0", asked).Values, alsoComPlus: false)).ToList();
        environments.Select(pairs => string.Join(' ', pairs.Select(pair => pair.Key))).Distinct().Count().ShouldBe(1);
        environments[0].Select(pair => pair.Key).ShouldBeUnique();
        // pgo=on and pgo=full set the same variable to the same number: what tells them apart is ReadyToRun, a knob of its own.
        var distinct = environments.Select(pairs => string.Join(' ', pairs)).Distinct().Count();
        distinct.ShouldBe(environments.Count * 2 / 3);
    }

    [Fact]
    public void what_is_left_to_the_runtime_is_an_empty_variable_of_the_same_name()
    {
        string[] asked = [.. RuntimeKnobs.All.Select(knob => $"{knob.Name}={RuntimeKnobs.Untouched}")];
        foreach (var runtime in Runtimes)
        {
            var setting = Settle(runtime, asked);
            setting.Clashes.ShouldBeEmpty();
            var environment = KnobSetting.Environment(setting.Values, alsoComPlus: false);
            environment.Select(pair => pair.Key).ShouldBe(KnobSetting.Environment(Settle(runtime).Values, alsoComPlus: false).Select(pair => pair.Key));
            environment.Count(pair => pair.Value.Length == 0).ShouldBe(RuntimeKnobs.All.Count);
        }
    }

    [Fact]
    public void dotnet_core_3_1_gets_the_old_prefix_too()
    {
        var values = Settle("netcoreapp3.1", "tiering=off").Values;
        KnobSetting.Environment(values, alsoComPlus: true).ShouldContain(new KeyValuePair<string, string>("COMPlus_TieredCompilation", "0"));
        KnobSetting.Environment(values, alsoComPlus: false).ShouldAllBe(pair => pair.Key.StartsWith("DOTNET_", StringComparison.Ordinal));
        KnobSetting.NeedsComPlus("netcoreapp3.1").ShouldBeTrue();
        KnobSetting.NeedsComPlus("net6.0").ShouldBeFalse();
    }

    [Fact]
    public void the_variables_are_spelled_as_the_runtime_spells_them() =>
        KnobSetting.Environment(Settle("net8.0", "pgo=full", "gc=server", "datas=on").Values, alsoComPlus: false).Select(pair => $"{pair.Key}={pair.Value}").ShouldBe(
        [
            "DOTNET_TieredCompilation=1", "DOTNET_TieredPGO=1", "DOTNET_ReadyToRun=0", "DOTNET_TC_QuickJitForLoops=1", "DOTNET_TC_OnStackReplacement=1",
            "DOTNET_gcServer=1", "DOTNET_GCDynamicAdaptationMode=1", "DOTNET_TC_QuickJit=1", "DOTNET_TieredPGO_InstrumentOnlyHotCode=1",
            "DOTNET_gcConcurrent=1", "DOTNET_EnableWriteXorExecute=1",
        ]);
}
