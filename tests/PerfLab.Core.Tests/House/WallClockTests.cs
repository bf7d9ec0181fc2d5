using System.Text.RegularExpressions;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.House;

/// <summary>
/// The time of day can be set while something is measured, and a laptop sleeps: durations are counted by the clock that only goes on
/// (Stopwatch, TimeProvider.GetTimestamp). That a round is void over which the clock was set is another test's.
/// </summary>
public sealed partial class WallClockTests
{
    /// <summary>They put it beside the times of files, which are of that clock, too.</summary>
    private static readonly string[] OfFiles = ["runner/PerfLab.Building/Builder.cs", "runner/PerfLab.Building/UsedFolder.cs"];

    [Fact]
    public void no_workload_and_nothing_of_the_runner_counts_by_the_time_of_day() =>
        new[] { "runner", "workloads" }.SelectMany(Readers).Except(OfFiles).ShouldBeEmpty("Count by Stopwatch, or by the TimeProvider.");

    [Theory]
    [InlineData("var since = DateTime.UtcNow;", true)]
    [InlineData("var since = System.DateTimeOffset.Now;", true)]
    [InlineData("var since = clock.GetUtcNow();", false)] // a test can set it
    [InlineData("var since = Stopwatch.GetTimestamp();", false)]
    public void the_time_of_day_is_seen(string line, bool seen) => TimeOfDay().IsMatch(line).ShouldBe(seen);

    private static IEnumerable<string> Readers(string folder) =>
        from file in Directory.EnumerateFiles(Path.Combine(Repository.Root, folder), "*.cs", SearchOption.AllDirectories)
        let path = Path.GetRelativePath(Repository.Root, file)
        where !path.Split('/').Any(part => part is "bin" or "obj") && TimeOfDay().IsMatch(File.ReadAllText(file))
        select path;

    [GeneratedRegex(@"\bDateTime(Offset)?\.(Utc)?(Now|Today)\b", RegexOptions.ExplicitCapture, 5000)]
    private static partial Regex TimeOfDay();
}
