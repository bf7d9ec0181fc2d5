using PerfLab.Core.Evidence;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Tests.Evidence;

/// <summary>What must be refused, what must not, and which source speaks, runtime by runtime.</summary>
public class LaunchProofTests
{
    private const int AllOn = 15, PgoOff = 11;

    [Theory]
    [InlineData(9)]
    [InlineData(10)]
    public void the_rundown_proves_what_was_planned(int major)
    {
        var proof = Of(major, [("pgo", "off")], new() { Rundown = Trace(PgoOff) });
        proof.Disagreements.ShouldBeEmpty();
        var pgo = proof.Settings.Single(setting => setting.Setting == "TieredPGO");
        pgo.Direct.ShouldBeTrue();
        pgo.Claim!.By.ShouldBe("settings event flags 11");
    }

    [Fact]
    public void a_disagreement_names_plan_report_and_source() =>
        Of(10, [("pgo", "off")], new() { Rundown = Trace(AllOn) }).Disagreements.ShouldBe(["planned TieredPGO=0, runtime reports 1 (settings event flags 15)"]);

    [Theory]
    [InlineData(null, "the process had no such variable")]
    [InlineData("off", "the process had the variable as 'off'")]
    public void a_disagreement_names_its_likely_cause(string? variable, string cause)
    {
        var variables = new Dictionary<string, string>(StringComparer.Ordinal);
        if (variable is not null)
        {
            variables.Add("DOTNET_TieredPGO", variable);
        }

        Of(10, [("pgo", "off")], new() { Rundown = Trace(AllOn), Variables = variables })
            .Disagreements[0].ShouldBe($"planned TieredPGO=0, runtime reports 1 (settings event flags 15); {cause}");
    }

    [Theory]
    [InlineData("off", 0, 40, null)]
    [InlineData("on", 30, 40, null)]
    [InlineData("off", 30, 40, "planned TieredPGO=0, runtime reports 1 (JIT summary, 30 of 140 methods instrumented)")]
    [InlineData("on", 0, 40, "planned TieredPGO=1, runtime reports 0 (JIT summary, 0 of 110 methods instrumented)")]
    [InlineData("on", 0, 2, null)] // too few to tell
    public void the_jit_summary_proves_pgo_on_net8(string planned, int instrumented, int tier1, string? disagreement) =>
        Of(8, [("pgo", planned)], new() { Summary = Summary(tier0: 70, instrumented, tier1) }).Disagreements.ShouldBe(disagreement is null ? [] : [disagreement]);

    [Fact]
    public void no_settings_event_in_a_complete_rundown_means_that_tiering_is_off()
    {
        Of(10, [("tiering", "off")], new() { Rundown = Trace(null) }).Disagreements.ShouldBeEmpty();
        Of(10, [], new() { Rundown = Trace(null) }).Disagreements[0].ShouldStartWith("planned TieredCompilation=1, runtime reports 0");
    }

    [Fact]
    public void what_the_launch_itself_left_comes_before_its_proof_launch() => Of(8, [("pgo", "on")], new()
    {
        Summary = Summary(70, 30, 40),
        ProofLaunch = Trace(AllOn),
    }).Settings.Single(setting => setting.Setting == "TieredPGO").Claim!.By.ShouldStartWith("JIT summary");

    [Fact]
    public void a_proof_launch_that_ran_otherwise_refuses_although_the_measured_one_looks_right() => Of(8, [("pgo", "on")], new()
    {
        Summary = Summary(70, 30, 40),
        ProofLaunch = Trace(PgoOff),
    }).Disagreements.ShouldBe(["planned TieredPGO=1, runtime reports 0 (settings event of the proof launch, flags 11)"]);

    [Theory]
    [InlineData(6)]
    [InlineData(7)]
    public void before_net8_only_indirect_evidence_speaks_for_pgo(int major)
    {
        var proof = Of(major, [("pgo", "on")], new() { Variables = Variables(("TieredPGO", "1"), ("TC_QuickJitForLoops", major == 6 ? "0" : "1")), ProofLaunch = Trace(AllOn) });
        proof.Disagreements.ShouldBeEmpty();
        proof.Indirect.ShouldContain("TieredPGO");
    }

    [Fact]
    public void before_net8_a_variable_that_did_not_arrive_is_reason_enough() =>
        Of(7, [("pgo", "on")], new() { Variables = Variables(("TieredPGO", "yes")) }).Disagreements
            .ShouldContain("planned TieredPGO=1, but the process had 'yes', which is no hexadecimal number");

    [Fact]
    public void netcoreapp31_has_no_dynamic_pgo_at_all_which_is_direct()
    {
        var proof = Of(3, [], new() { Variables = Variables() });
        var pgo = proof.Settings.Single(setting => setting.Setting == "TieredPGO");
        (pgo.Direct, pgo.Claim!.By).ShouldBe((true, "dynamic PGO came with .NET 6"));
    }

    [Fact]
    public void server_gc_that_silently_became_workstation_gc_is_refused() =>
        Of(10, [("gc", "server")], new() { ServerGc = false }).Disagreements.ShouldContain("planned gcServer=1, runtime reports 0 (GCSettings.IsServerGC)");

    [Fact]
    public void datas_shows_by_name_in_the_gc_events_of_the_proof_launch()
    {
        var adapting = Trace(AllOn) with { GcDynamicEvents = new Dictionary<string, int> { ["SizeAdaptationTuning"] = 3 } };
        Of(10, [("gc", "server"), ("datas", "off")], new() { ServerGc = true, ProofLaunch = adapting, GcSettings = new Dictionary<string, string> { ["GCDynamicAdaptationMode"] = "0" } })
            .Disagreements.ShouldBe(["planned GCDynamicAdaptationMode=0, runtime reports 1 (GC event SizeAdaptationTuning of the proof launch)"]);
    }

    [Fact]
    public void other_processors_than_given_are_another_experiment() =>
        Of(10, [], new() { Processors = 4, GivenProcessors = 2 }).Disagreements.ShouldBe(["it was given 2 processors, the runtime sees 4"]);

    [Fact]
    public void another_patch_than_planned_is_refused() => LaunchProof.Of(
        "10.0.14", [], new() { Framework = ".NET 10.0.12" })
        .Disagreements.ShouldBe(["it ran on .NET 10.0.12, planned was .NET 10.0.14"]);

    [Theory]
    [InlineData("10.0.14", "10.0.1426", null)]
    [InlineData("10.0.14", "10.0.1226", "it ran on .NET 10.0.12 (the runtime's start event), planned was .NET 10.0.14")]
    [InlineData("8.0.0", "8.0.23", null)]
    public void where_the_program_names_no_runtime_the_runtimes_own_event_stands_in(string planned, string reported, string? disagreement)
    {
        string[] expected = disagreement is null ? [] : [disagreement];
        foreach (var seen in new Observation[] { new() { Rundown = Started(reported) }, new() { Trace = Started(reported) }, new() { ProofLaunch = Started(reported) } })
        {
            var proof = OnRuntime(planned, seen);
            proof.Disagreements.ShouldBe(expected);
            proof.Indirect.ShouldBeEmpty();
        }
    }

    [Fact]
    public void a_program_that_says_it_ran_on_11_and_did_not_is_refused_by_the_runtimes_own_event()
    {
        var liar = new Observation { Framework = ".NET 11.0.0", Rundown = Started("10.0.1526") };
        OnRuntime("11.0.0", liar).Disagreements.ShouldBe(
            ["it ran on .NET 10.0.15 (the runtime's start event), planned was .NET 11.0.0, although the program says .NET 11.0.0"]);
        OnRuntime("11.0.0", liar with { Rundown = Started("11.0.26") }).Disagreements.ShouldBeEmpty();
        OnRuntime("11.0.0", liar with { Framework = ".NET 10.0.15" })
            .Disagreements.ShouldBe(["it ran on .NET 10.0.15, planned was .NET 11.0.0"]);
    }

    [Fact]
    public void a_runtime_that_nothing_names_is_called_unproven_and_not_refused()
    {
        var proof = OnRuntime("10.0.14", new() { Summary = Summary(70, 30, 40) });
        proof.Disagreements.ShouldBeEmpty();
        proof.Indirect.ShouldBe(["runtime"]);
        OnRuntime("10.0.14", new() { Framework = ".NET 10.0.14" }).Indirect.ShouldBeEmpty();
        LaunchProof.Of(null, [], new()).Indirect.ShouldBeEmpty("a script has no runtime to prove");
    }

    [Fact]
    public void the_runtimes_own_event_also_says_which_claims_can_be_believed() => LaunchProof.Of(
        "8.0.33", [new("DOTNET_TC_QuickJitForLoops", "0")], new() { ProofLaunch = Started("8.0.3326") with { SettingsFlags = AllOn } })
        .Disagreements.ShouldBe(["planned TC_QuickJitForLoops=0, runtime reports 1 (settings event of the proof launch, flags 15)"]);

    [Theory]
    [InlineData("10.0.1426", "10.0.14")]
    [InlineData("8.0.23", "8.0.0")]
    [InlineData("4.700.20", null)] // .NET Core 3.1
    [InlineData("8.0", null)]
    [InlineData("x", null)]
    [InlineData(null, null)]
    public void the_patch_follows_from_the_start_events_version(string? version, string? patch) => Started(version).Patch.ShouldBe(patch);

    [Fact]
    public void a_program_without_a_jit_has_no_settings_to_prove() =>
        Of(10, [("pgo", "on")], new() { CompiledMethods = 0 }).Settings.ShouldBeEmpty();

    [Fact]
    public void a_program_that_only_says_that_it_has_no_jit_is_not_believed() =>
        Of(10, [("pgo", "on")], new() { CompiledMethods = 0, Summary = Summary(70, 0, 40) }).Disagreements
            .ShouldBe(["planned TieredPGO=1, runtime reports 0 (JIT summary, 0 of 110 methods instrumented)"]);

    [Theory]
    [InlineData("GCHeapCount", "HeapCount", "16", true, null)] // 0x10
    [InlineData("GCHeapCount", "HeapCount", "10", true, "planned GCHeapCount=10, runtime reports A (the GC's own settings)")]
    [InlineData("GCConserveMemory", "GCConserveMem", "16", true, null)]
    [InlineData("GCRetainVM", "RetainVM", "True", true, "planned GCRetainVM=10, runtime reports 1 (the GC's own settings)")]
    [InlineData("GCgen0size", "Another", "1", false, null)] // the GC does not say
    public void a_number_for_the_GC_is_proven_where_the_GC_tells_it(string setting, string name, string said, bool isDirect, string? disagreement)
    {
        KeyValuePair<string, string>[] environment = [new("DOTNET_" + setting, "10")];
        var proof = LaunchProof.Of(null, environment, new()
        {
            Framework = ".NET 10.0.1",
            GcSettings = new Dictionary<string, string>(StringComparer.Ordinal) { [name] = said },
            Variables = new Dictionary<string, string>(StringComparer.Ordinal) { ["DOTNET_" + setting] = "10" },
        });
        proof.Disagreements.ShouldBe(disagreement is null ? [] : [disagreement]);
        proof.Indirect.ShouldBe(isDirect ? [] : [setting]);
    }

    [Fact]
    public void the_journal_gets_plan_report_source_and_strength() =>
        Of(10, [("pgo", "off")], new() { Rundown = Trace(PgoOff) }).ToJson()["TieredPGO"]!.ToJsonString()
            .ShouldBe("""{"planned":"0","is":"0","by":"settings event flags 11","strength":"direct"}""");

    [Fact]
    public void what_the_plan_leaves_to_the_runtime_is_told_and_contradicted_by_nothing()
    {
        var proof = Of(10, [("pgo", "default"), ("gc", "default")], new() { Rundown = Trace(PgoOff), ServerGc = true });
        proof.Disagreements.ShouldBeEmpty();
        proof.Indirect.ShouldNotContain("TieredPGO");
        proof.ToJson()["TieredPGO"]!.ToJsonString().ShouldBe("""{"planned":null,"is":"0","by":"settings event flags 11","strength":"direct"}""");
        proof.ToJson()["gcServer"]!["is"]!.GetValue<string>().ShouldBe("1");
    }

    private static LaunchProof Of(int major, (string Knob, string Value)[] asked, Observation seen)
    {
        var release = major == 3 ? "netcoreapp3.1" : $"net{major}.0";
        var setting = KnobSetting.Settle(release, 2, asked.ToDictionary(pair => pair.Knob, pair => pair.Value, StringComparer.Ordinal));
        setting.Clashes.ShouldBeEmpty();
        return LaunchProof.Of(
            null,
            KnobSetting.Environment(setting.Values, KnobSetting.NeedsComPlus(release)),
            seen with { Framework = major == 3 ? ".NET Core 3.1.3" : $".NET {major}.0.1" });
    }

    /// <summary>Variables as a process of the middle runtimes has them, all as planned but those named here.</summary>
    private static Dictionary<string, string> Variables(params (string Setting, string Value)[] own)
    {
        var variables = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var (setting, value) in new[]
        {
            ("TieredCompilation", "1"), ("ReadyToRun", "1"), ("TC_QuickJitForLoops", "1"), ("TC_OnStackReplacement", "1"), ("gcServer", "0"), ("gcConcurrent", "1"),
            ("GCDynamicAdaptationMode", "0"),
        }.Concat(own))
        {
            variables["DOTNET_" + setting] = value;
        }

        return variables;
    }

    private static LaunchProof OnRuntime(string planned, Observation seen) => LaunchProof.Of(planned, [], seen);

    private static RuntimeTraceFacts Started(string? version) => Trace(null) with { RuntimeVersion = version };

    private static RuntimeTraceFacts Trace(int? flags) => new() { SettingsFlags = flags, RuntimeVersion = "x", Jit = new JitTally().Statistics() };

    private static JitSummary Summary(int tier0, int instrumented, int tier1)
    {
        IEnumerable<string> lines = [.. Lines(tier0, "Tier0"), .. Lines(instrumented, "Instrumented Tier0"), .. Lines(tier1, "Tier1")];
        return JitSummary.Parse(System.Text.Encoding.ASCII.GetBytes(string.Join('\n', lines)));
    }

    private static IEnumerable<string> Lines(int count, string tier) => Enumerable.Repeat($"   1: JIT compiled A:B() [{tier}, IL size=1, code size=2]", count);
}
