using PerfLab.Core.Model;
using PerfLab.WorkloadKit;

namespace PerfLab.Workload.Tests.Kit;

/// <summary>How long nothing must have been compiled, from what a process lets its runtime wait: 0.9 s and twice that wait.</summary>
public sealed class QuietTimeTests
{
    private const string Delay = "TC_CallCountingDelayMs", Multiplier = "TC_DelaySingleProcMultiplier",
        Property = "System.Runtime.TieredCompilation.CallCountingDelayMs";

    [Theory]
    [InlineData(1, 2.9)]
    [InlineData(2, 1.1)]
    [InlineData(64, 1.1)]
    public void one_core_waits_ten_times_longer(int processors, double seconds) => Of(processors).ShouldBe(seconds, 1e-9);

    [Theory]
    [InlineData(2, "DOTNET_" + Delay, "3E8", 2.9)] // hexadecimal
    [InlineData(2, "DOTNET_" + Delay, "0x3e8", 2.9)]
    [InlineData(2, "COMPlus_" + Delay, "3E8", 2.9)]
    [InlineData(1, "DOTNET_" + Delay, "3E8", 20.9)]
    [InlineData(1, "DOTNET_" + Delay, "0", 1.1)]
    [InlineData(2, "DOTNET_" + Delay, "1", 1.1)] // never less: who compiles a method each second is to be seen
    [InlineData(1, "DOTNET_" + Multiplier, "1", 1.1)]
    [InlineData(1, "DOTNET_" + Multiplier, "0", 1.1)]
    [InlineData(1, "DOTNET_" + Multiplier, "14", 4.9)]
    [InlineData(2, "DOTNET_" + Multiplier, "14", 1.1)]
    [InlineData(1, "DOTNET_" + Delay, "a second", 2.9)] // no number: as if it were not there
    [InlineData(1, "DOTNET_" + Delay, "1FFFFFFFF", 2.9)]
    [InlineData(1, "DOTNET_" + Delay, "-1", 2.9)]
    [InlineData(1, "DOTNET_" + Delay, "", 2.9)]
    [InlineData(1, "dotnet_" + Delay, "3E8", 2.9)] // another variable
    public void a_variable_of_the_runtime_changes_it(int processors, string name, string value, double seconds) =>
        Of(processors, [(name, value)]).ShouldBe(seconds, 1e-9);

    [Theory]
    [InlineData(2, "1000", 2.9)]
    [InlineData(1, "1000", 20.9)]
    [InlineData(2, "0x3E8", 2.9)]
    [InlineData(2, "long", 1.1)]
    [InlineData(2, "", 1.1)]
    [InlineData(2, null, 1.1)]
    public void so_does_the_programs_runtimeconfig(int processors, string? value, double seconds) =>
        Of(processors, [], value).ShouldBe(seconds, 1e-9);

    [Fact]
    public void a_variable_wins_over_runtimeconfig_and_of_two_prefixes_the_larger_number_counts()
    {
        Of(2, [("DOTNET_" + Delay, "64")], "5000").ShouldBe(1.1, 1e-9);
        Of(2, [("DOTNET_" + Delay, "64"), ("COMPlus_" + Delay, "3E8")]).ShouldBe(2.9, 1e-9);
    }

    [Fact]
    public void a_product_that_is_no_number_of_32_bits_is_left_alone() =>
        Of(1, [("DOTNET_" + Delay, "F0000000")]).ShouldBe(0.9 + (2 * (double)0xF0000000 / 1000), 1e-3);

    /// <summary>What the lab gives a launch is enough for as many quiet times on one core as on several.</summary>
    [Fact]
    public void the_labs_bounds_are_nine_quiet_times()
    {
        LaunchTimes.UntilRest.ShouldBe(Math.Ceiling(9 * Of(2)));
        LaunchTimes.UntilRestOnOneCore.ShouldBe(Math.Ceiling(9 * Of(1)));
        LaunchTimes.RestOnOneCore.ShouldBeGreaterThan(Of(1));
    }

    private static double Of(int processors, (string Name, string Value)[]? variables = null, string? property = null) => QuietTime.Seconds(
        processors,
        name => (variables ?? []).Where(one => one.Name == name && one.Value.Length > 0).Select(one => one.Value).FirstOrDefault(),
        name => name == Property ? property : null);
}
