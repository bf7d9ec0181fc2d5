using PerfLab.Building.Runtimes;

namespace PerfLab.Runner.Commands;

/// <summary>The rows of `list runtimes`: what can be had, until when Microsoft supports it, and why something can't be had.</summary>
internal static class RuntimeList
{
    public static IReadOnlyList<string> Columns { get; } = ["runtime", "patch", "state", "support", "note"];

    public static IEnumerable<IReadOnlyList<string>> Rows(IEnumerable<RuntimeListing> lanes, DateOnly today) =>
        lanes.SelectMany(listing => listing.Patches.Select(patch => Row(listing.Lane, patch, today)).Concat(Others(listing, today)));

    private static IReadOnlyList<string> Row(RuntimeLane lane, PatchListing patch, DateOnly today)
    {
        var (state, why) = (patch.Runtime.Status, patch.AspNetCore.Status) switch
        {
            (PackStatus.Available, PackStatus.Missing) => ("available without ASP.NET Core", patch.AspNetCore.Why),
            (PackStatus.Available, _) => ("available", null),
            (PackStatus.Missing, _) => ("unavailable", patch.Runtime.Why),
            (PackStatus.NotAsked, _) => ("not asked yet", "`./perf-lab list runtimes` asks the package sources"),
            _ => ("unknown", patch.Runtime.Why),
        };
        return [lane.Name, patch.Patch, state, Support(lane, today), string.Join("; ", new[] { Reference(lane), why }.OfType<string>())];
    }

    private static IEnumerable<IReadOnlyList<string>> Others(RuntimeListing listing, DateOnly today) => listing.Others switch
    {
        [] => [],
        [var only] => [[listing.Lane.Name, only, "available", Support(listing.Lane, today), $"not pinned: ask for runtime={listing.Lane.NameOf(only)}"]],
        [var newest, .., var oldest] => [[listing.Lane.Name, $"{oldest} to {newest}", "available", Support(listing.Lane, today), $"{listing.Others.Count} more, not pinned: ask by number, runtime={listing.Lane.NameOf(newest)}"]],
    };

    private static string Support(RuntimeLane lane, DateOnly today) =>
        lane.IsSupportedOn(today) ? $"supported until {lane.EndOfSupport:yyyy-MM-dd}" : $"out of support since {lane.EndOfSupport:yyyy-MM-dd}";

    private static string? Reference(RuntimeLane lane) => lane.Reference is { } why ? $"reference: {why}" : null;
}
