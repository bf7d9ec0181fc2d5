using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Cells;

namespace PerfLab.Building.Runtimes;

/// <summary>A release as <c>list runtimes</c> shows it.</summary>
/// <param name="Others">More patches that package sources have, newest first: they can be asked for by number.</param>
public sealed record RuntimeListing(RuntimeRelease Release, IReadOnlyList<PatchListing> Patches, IReadOnlyList<string> Others);

/// <summary>A patch and what is known about it on this machine.</summary>
/// <param name="AspNetCore">For programs that also need ASP.NET Core.</param>
public sealed record PatchListing(string Patch, PackState Runtime, PackState AspNetCore);

/// <summary>Which runtimes can be published here.</summary>
/// <param name="storeFolder">The folder for builds; what package sources said is remembered there.</param>
/// <param name="clock">For how long a "no" is believed.</param>
public sealed class RuntimeCatalog(string storeFolder, DotnetCli dotnet, TimeProvider? clock = null)
{
    private PackIndex? _packs;

    /// <summary>Folders of packages beside the configured sources.</summary>
    public IReadOnlyList<string> Feeds { get; init; } = [];

    /// <summary>NuGet's folder of unpacked packages.</summary>
    public string Packages { get; init; } = PackageFolder.Global();

    /// <summary>Compile the lowest target framework for every arm.</summary>
    public bool SameIl { get; init; }

    /// <summary>Ends questions that are under way when the command is interrupted.</summary>
    public CancellationToken Stop { get; init; }

    private PackIndex Packs => _packs ??= new(storeFolder, dotnet, clock ?? TimeProvider.System) { Feeds = Feeds, Packages = Packages, Stop = Stop };

    /// <summary>Every known release, newest first.</summary>
    /// <param name="ask">Whether package sources may be asked where nothing is known.</param>
    public IReadOnlyList<RuntimeListing> List(bool ask) => [.. RuntimeReleases.All.Select(release => new RuntimeListing(
        release,
        [.. release.Patches.Select(patch => new PatchListing(patch, Packs.Find(RuntimePacks.Runtime, patch, ask), Packs.Find(RuntimePacks.AspNetCore, patch, ask)))],
        Others(release, ask)))];

    /// <summary>
    /// "net8.0" becomes the newest known patch with all that the workload needs, "net8.0.30" that patch, known or not. A release that can't
    /// be had here comes back as unavailable with the reason, like a patch that lacks what only this workload needs; a patch that nobody
    /// has and a word that is no runtime come back as problems.
    /// </summary>
    public (ResolvedRuntime? Runtime, Problem? Problem) Resolve(string text, Workload? workload = null)
    {
        if (RuntimeReleases.All.FirstOrDefault(release => release.Name == text) is { } asked)
        {
            return (Newest(asked, workload), null);
        }

        if (RuntimeReleases.All.FirstOrDefault(release => IsPatchOf(text, release)) is { } owner)
        {
            return Exactly(owner, text, workload);
        }

        var names = RuntimeReleases.All.Select(release => release.Name).Concat(RuntimeReleases.All.SelectMany(release => release.Patches.Select(release.NameOf)));
        return (null, new Problem("runtime", $"'{text}' is not a runtime.", NearestNames.Suggest(text, names)));
    }

    private ResolvedRuntime Newest(RuntimeRelease release, Workload? workload)
    {
        var states = release.Patches.Select(patch => (Patch: patch, State: StateOf(release, patch, workload))).ToList();
        if (states.TrueForAll(known => known.State.Status == PackStatus.Missing))
        {
            states.AddRange(Others(release, ask: true).Select(patch => (patch, StateOf(release, patch, workload))));
        }

        // What certainly can be had goes before what only a build can find out.
        var best = states.Find(known => known.State.Status == PackStatus.Available) is { Patch: not null } available ? available
            : states.Find(known => known.State.Status != PackStatus.Missing);
        return best.Patch is { } patch
            ? new ResolvedRuntime(release.Name, release.Name, patch, null)
            : new ResolvedRuntime(release.Name, release.Name, release.Patches[0], NotToBeHad(release.Name, workload, $"{states[0].State.Why}, nor what another {release.Number} needs"));
    }

    private (ResolvedRuntime? Runtime, Problem? Problem) Exactly(RuntimeRelease release, string text, Workload? workload)
    {
        var patch = release.Number + text[release.Name.Length..];
        var missing = RuntimePacks.For(workload, SameIl, release, patch)
            .Select(pack => (pack.Id, State: Packs.FindNow(pack.Id, pack.Version))).FirstOrDefault(pack => pack.State.Status == PackStatus.Missing);
        if (missing.Id is null)
        {
            return (new(text, release.Name, patch, null), null);
        }

        var reason = NotToBeHad(text, workload, missing.State.Why!, $" Of {release.Name} there is: {WhatThereIs(release, workload)}.");
        return missing.Id == RuntimePacks.Runtime ? (null, new("runtime", reason)) : (new(text, release.Name, patch, reason), null);
    }

    private string WhatThereIs(RuntimeRelease release, Workload? workload)
    {
        var there = release.Patches.Concat(Others(release, ask: true)).Where(patch => StateOf(release, patch, workload).Status == PackStatus.Available).Select(release.NameOf).ToList();
        return there.Count == 0 ? "nothing" : string.Join(", ", there);
    }

    private static string NotToBeHad(string runtime, Workload? workload, string why, string valid = "") =>
        $"runtime {runtime} is not available here{(workload?.Build.AspNetCore == true ? $" for {workload.Name}, which needs ASP.NET Core" : "")}: {why}.{valid} --feed DIR adds a folder of packages.";

    private PackState StateOf(RuntimeRelease release, string patch, Workload? workload) =>
        RuntimePacks.For(workload, SameIl, release, patch).Select(pack => Packs.Find(pack.Id, pack.Version, ask: true)).MaxBy(state => state.Status) ?? PackState.Available;

    private IReadOnlyList<string> Others(RuntimeRelease release, bool ask) =>
        [.. Packs.Versions(RuntimePacks.Runtime, ask).Where(version => release.Owns(version) && !release.Patches.Contains(version, StringComparer.Ordinal))
            .Where(version => IsPatchOf(release.NameOf(version), release)).OrderByDescending(version => version, VersionOrder.Instance)];

    private static bool IsPatchOf(string text, RuntimeRelease release) =>
        text.StartsWith(release.Name + ".", StringComparison.Ordinal)
        && text[(release.Name.Length + 1)..] is { Length: > 0 and <= 3 } number && number.All(char.IsAsciiDigit) && (number.Length == 1 || number[0] != '0');
}
