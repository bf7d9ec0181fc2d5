using PerfLab.Runner.Keeping;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>Which builds go: nobody's for 30 days, and the oldest beyond 5 GiB; never a fresh or a needed one.</summary>
public sealed class OldBuildsTests
{
    private const long Gibibyte = 1L << 30;

    private static readonly DateTime Now = new(2026, 11, 27, 12, 0, 0, DateTimeKind.Utc);

    [Fact]
    public void what_nobody_used_for_thirty_days_goes_however_small_it_is() =>
        Old([], ("a", 29, 1), ("b", 31, 1)).ShouldBe(["b"]);

    [Fact]
    public void beyond_five_gibibytes_the_oldest_go_first() =>
        Old([], ("a", 3, 2 * Gibibyte), ("b", 20, 2 * Gibibyte), ("c", 10, 2 * Gibibyte), ("d", 5, 2 * Gibibyte)).ShouldBe(["c", "b"]);

    [Fact]
    public void a_small_one_stays_where_a_large_one_has_no_room() =>
        Old([], ("a", 3, 4 * Gibibyte), ("b", 4, 2 * Gibibyte), ("c", 5, Gibibyte)).ShouldBe(["b"]);

    [Fact]
    public void what_was_used_in_the_last_two_days_stays_whatever_its_size() =>
        Old([], ("a", 0, 4 * Gibibyte), ("b", 1, 4 * Gibibyte), ("c", 1, 4 * Gibibyte), ("d", 3, 1)).ShouldBe(["d"]);

    [Fact]
    public void what_a_session_needs_stays_whatever_its_age() =>
        Old(["b"], ("a", 31, 1), ("b", 99, 9 * Gibibyte)).ShouldBe(["a"]);

    private static List<string> Old(string[] needed, params (string Path, int Days, long Bytes)[] folders) =>
        [.. OldBuilds.Of([.. folders.Select(one => new StoredFolder(one.Path, one.Bytes, Now.AddDays(-one.Days)))],
            needed.ToHashSet(StringComparer.Ordinal), Now).Select(folder => folder.Path)];
}
