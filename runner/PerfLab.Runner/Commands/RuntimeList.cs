using PerfLab.Building.Runtimes;

namespace PerfLab.Runner.Commands;

/// <summary>The rows of `list runtimes`, one a release: what can be had, until when Microsoft supports it, and why something can't be had.</summary>
internal static class RuntimeList
{
    public static IReadOnlyList<string> Columns { get; } = ["runtime", "newest", "state", "support", "note"];

    public static IEnumerable<IReadOnlyList<string>> Rows(IEnumerable<RuntimeListing> releases, DateOnly today) => releases.Select(listing => Row(listing, today));

    private static IReadOnlyList<string> Row(RuntimeListing listing, DateOnly today)
    {
        var there = listing.Patches.Where(patch => patch.Runtime.Status == PackStatus.Available).ToList();
        var newest = there is [var first, ..] ? first : listing.Patches[0];
        var (state, why) = (newest.Runtime.Status, newest.AspNetCore.Status) switch
        {
            (PackStatus.Available, PackStatus.Missing) => ("available without ASP.NET Core", newest.AspNetCore.Why),
            (PackStatus.Available, _) => ("available", null),
            (PackStatus.Missing, _) => ("unavailable", newest.Runtime.Why),
            (PackStatus.NotAsked, _) => ("not asked yet", "`./perf-lab list runtimes` asks the package sources"),
            _ => ("unknown", newest.Runtime.Why),
        };
        return
        [
            listing.Release.Name, newest.Patch, state, Support(listing.Release, today),
            string.Join("; ", new[] { Others([.. there.Skip(1)], listing.Release), Reference(listing.Release), why }.OfType<string>()),
        ];
    }

    private static string? Others(IReadOnlyList<PatchListing> others, RuntimeRelease release) => others switch
    {
        [] => null,
        [var only] => $"also runtime={release.NameOf(only.Patch)}",
        [var next, .., var oldest] => $"also runtime={release.NameOf(next.Patch)} and {others.Count - 1} more down to {oldest.Patch}",
    };

    private static string Support(RuntimeRelease release, DateOnly today) => release.EndOfSupport switch
    {
        null => "support not known",
        { } day when today <= day => $"supported until {day:yyyy-MM-dd}",
        { } day => $"out of support since {day:yyyy-MM-dd}",
    };

    private static string? Reference(RuntimeRelease release) => release.Reference is { } why ? $"reference: {why}" : null;
}
