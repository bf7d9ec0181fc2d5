namespace PerfLab.Tests;

/// <summary>
/// `./perf-lab test --all`, which CI runs each night: what an ordinary run of a quarter of an hour has no room for. In it channel-actors
/// alone is built for each runtime, the others for the newest, because a build takes ten seconds.
/// </summary>
internal static class Nightly
{
    public static bool IsAsked { get; } = Environment.GetEnvironmentVariable("PERF_LAB_TEST_ALL") == "1";

    /// <param name="why">What it takes: "a minute".</param>
    public static void Only(string why) => Assert.SkipUnless(IsAsked, $"./perf-lab test --all runs it: it takes {why}");
}
