using System.Reflection;
using Xunit.Sdk;
using Xunit.v3;

namespace PerfLab.Tests;

/// <summary>
/// `./perf-lab test --all`, which CI runs each night: variants of what the ordinary run does once, in its shortest form. The ordinary run
/// builds channel-actors alone for each runtime and the others for the newest, because a build takes ten seconds.
/// </summary>
internal static class Nightly
{
    public static bool IsAsked { get; } = Environment.GetEnvironmentVariable("PERF_LAB_TEST_ALL") == "1";

    /// <param name="why">What it takes: "a minute".</param>
    public static void Only(string why) => Assert.SkipUnless(IsAsked, $"./perf-lab test --all runs it: it takes {why}");
}

/// <summary>A row of a theory that `./perf-lab test --all` alone runs: one like it is in the ordinary run.</summary>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
internal sealed class NightlyDataAttribute(params object?[] row) : DataAttribute
{
    public IReadOnlyList<object?> Row => row;

    public override ValueTask<IReadOnlyCollection<ITheoryDataRow>> GetData(MethodInfo testMethod, DisposalTracker disposalTracker) =>
        new([new TheoryDataRow(row) { Skip = Nightly.IsAsked ? null : "./perf-lab test --all runs it: a row like one that is run" }]);

    public override bool SupportsDiscoveryEnumeration() => true;
}
