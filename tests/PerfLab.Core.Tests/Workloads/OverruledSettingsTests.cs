using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Tests.Workloads;

public sealed class OverruledSettingsTests
{
    [Theory]
    [InlineData("System.GC.Server", "true", "gc=server measures what the project says")]
    [InlineData("System.Runtime.TieredPGO", "false", "pgo=off measures what the project says")]
    [InlineData("System.Runtime.TieredCompilation", "0", "tiering=off measures what the project says")]
    [InlineData("System.Runtime.TieredCompilation.QuickJitForLoops", "false", "quick-jit-for-loops=off measures")]
    [InlineData("System.GC.DynamicAdaptationMode", "1", "datas=on measures what the project says")]
    [InlineData("System.GC.Concurrent", "false", "the lab sets it, the same in every launch")]
    [InlineData("System.Runtime.TieredCompilation.QuickJit", "False", "the lab sets it, the same in every launch")]
    public void what_the_launches_do_otherwise_is_said_with_what_measures_it(string property, string said, string expected)
    {
        var sentence = Of((property, said)).ShouldHaveSingleItem();
        sentence.ShouldStartWith($"the project says {property}={said}, and its launches do not: ");
        sentence.ShouldContain(expected);
    }

    [Theory]
    [InlineData("System.GC.Server", "false")] // as it is
    [InlineData("System.Runtime.TieredPGO", "1")]
    [InlineData("System.GC.Server", "perhaps")] // the runtime would not read it either
    [InlineData("System.GC.ConserveMemory", "5")] // not the lab's: it holds
    [InlineData("My.Switch", "true")]
    public void what_holds_is_not_said(string property, string said) => Of((property, said)).ShouldBeEmpty();

    [Fact]
    public void a_launch_with_what_the_project_says_overrules_nothing() =>
        Of([new("gc", "server")], ("System.GC.Server", "true")).ShouldBeEmpty();

    [Fact]
    public void without_knobs_of_the_lab_all_holds() =>
        OverruledSettings.Of(new Dictionary<string, string> { ["System.GC.Server"] = "true" }, [new("PATH", "/bin")]).ShouldBeEmpty();

    private static IReadOnlyList<string> Of(params (string Name, string Value)[] configured) => Of([], configured);

    private static IReadOnlyList<string> Of(KeyValuePair<string, string>[] asked, params (string Name, string Value)[] configured)
    {
        var knobs = KnobSetting.Settle("net10.0", 2, asked.ToDictionary()).Values;
        return OverruledSettings.Of(configured.ToDictionary(pair => pair.Name, pair => pair.Value), KnobSetting.Environment(knobs, alsoComPlus: true));
    }
}
