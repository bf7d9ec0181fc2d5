using PerfLab.Building.Runtimes;

namespace PerfLab.Runner.Commands;

/// <summary>The rows of `list runtimes`: what can be had, until when Microsoft supports it, and why something can't be had.</summary>
internal static class RuntimeList
{
    public static IReadOnlyList<string> Columns { get; } = ["runtime", "patch", "state", "support", "note"];

    public static IEnumerable<IReadOnlyList<string>> Rows(IEnumerable<RuntimeListing> releases, DateOnly today) =>
        releases.SelectMany(listing => listing.Patches.Select(patch => Row(listing.Release, patch, today)).Concat(Others(listing, today)));

    private static IReadOnlyList<string> Row(RuntimeRelease release, PatchListing patch, DateOnly today)
    {
        var (state, why) = (patch.Runtime.Status, patch.AspNetCore.Status) switch
        {
            (PackStatus.Available, PackStatus.Missing) => ("available without ASP.NET Core", patch.AspNetCore.Why),
            (PackStatus.Available, _) => ("available", null),
            (PackStatus.Missing, _) => ("unavailable", patch.Runtime.Why),
            (PackStatus.NotAsked, _) => ("not asked yet", "`./perf-lab list runtimes` asks the package sources"),
            _ => ("unknown", patch.Runtime.Why),
        };
        return [release.Name, patch.Patch, state, Support(release, today), string.Join("; ", new[] { Reference(release), why }.OfType<string>())];
    }

    private static IEnumerable<IReadOnlyList<string>> Others(RuntimeListing listing, DateOnly today) => listing.Others switch
    {
        [] => [],
        [var only] => [[listing.Release.Name, only, "available", Support(listing.Release, today), $"not pinned: ask for runtime={listing.Release.NameOf(only)}"]],
        [var newest, .., var oldest] => [[listing.Release.Name, $"{oldest} to {newest}", "available", Support(listing.Release, today), $"{listing.Others.Count} more, not pinned: ask by number, runtime={listing.Release.NameOf(newest)}"]],
    };

    private static string Support(RuntimeRelease release, DateOnly today) =>
        release.IsSupportedOn(today) ? $"supported until {release.EndOfSupport:yyyy-MM-dd}" : $"out of support since {release.EndOfSupport:yyyy-MM-dd}";

    private static string? Reference(RuntimeRelease release) => release.Reference is { } why ? $"reference: {why}" : null;
}
