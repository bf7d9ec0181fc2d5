using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Cells;

namespace PerfLab.Building.Runtimes;

/// <summary>A lane as <c>list runtimes</c> shows it.</summary>
/// <param name="Others">More patches that package sources have, newest first: they can be asked for by number.</param>
public sealed record RuntimeListing(RuntimeLane Lane, IReadOnlyList<PatchListing> Patches, IReadOnlyList<string> Others);

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

    /// <summary>Every known lane, newest first.</summary>
    /// <param name="ask">Whether package sources may be asked where nothing is known.</param>
    public IReadOnlyList<RuntimeListing> List(bool ask) => [.. RuntimeLanes.All.Select(lane => new RuntimeListing(
        lane,
        [.. lane.Patches.Select(patch => new PatchListing(patch, Packs.Find(RuntimePacks.Runtime, patch, ask), Packs.Find(RuntimePacks.AspNetCore, patch, ask)))],
        Others(lane, ask)))];

    /// <summary>
    /// "net8.0" becomes the newest known patch with all that the workload needs, "net8.0.30" that patch, known or not. A lane that can't
    /// be had here comes back as unavailable with the reason, like a patch that lacks what only this workload needs; a patch that nobody
    /// has and a word that is no runtime come back as problems.
    /// </summary>
    public (ResolvedRuntime? Runtime, Problem? Problem) Resolve(string text, Workload? workload = null)
    {
        if (RuntimeLanes.All.FirstOrDefault(lane => lane.Name == text) is { } asked)
        {
            return (Newest(asked, workload), null);
        }

        if (RuntimeLanes.All.FirstOrDefault(lane => IsPatchOf(text, lane)) is { } owner)
        {
            return Exactly(owner, text, workload);
        }

        var names = RuntimeLanes.All.Select(lane => lane.Name).Concat(RuntimeLanes.All.SelectMany(lane => lane.Patches.Select(lane.NameOf)));
        return (null, new Problem("runtime", $"'{text}' is not a runtime.", NearestNames.Suggest(text, names)));
    }

    private ResolvedRuntime Newest(RuntimeLane lane, Workload? workload)
    {
        var states = lane.Patches.Select(patch => (Patch: patch, State: StateOf(lane, patch, workload))).ToList();
        if (states.TrueForAll(known => known.State.Status == PackStatus.Missing))
        {
            states.AddRange(Others(lane, ask: true).Select(patch => (patch, StateOf(lane, patch, workload))));
        }

        // What certainly can be had goes before what only a build can find out.
        var best = states.Find(known => known.State.Status == PackStatus.Available) is { Patch: not null } available ? available
            : states.Find(known => known.State.Status != PackStatus.Missing);
        return best.Patch is { } patch
            ? new ResolvedRuntime(lane.Name, lane.Name, patch, null)
            : new ResolvedRuntime(lane.Name, lane.Name, lane.Patches[0], NotToBeHad(lane.Name, workload, $"{states[0].State.Why}, nor what another {lane.Number} needs"));
    }

    private (ResolvedRuntime? Runtime, Problem? Problem) Exactly(RuntimeLane lane, string text, Workload? workload)
    {
        var patch = lane.Number + text[lane.Name.Length..];
        var missing = RuntimePacks.For(workload, SameIl, lane, patch)
            .Select(pack => (pack.Id, State: Packs.FindNow(pack.Id, pack.Version))).FirstOrDefault(pack => pack.State.Status == PackStatus.Missing);
        if (missing.Id is null)
        {
            return (new(text, lane.Name, patch, null), null);
        }

        var reason = NotToBeHad(text, workload, missing.State.Why!, $" Of {lane.Name} there is: {WhatThereIs(lane, workload)}.");
        return missing.Id == RuntimePacks.Runtime ? (null, new("runtime", reason)) : (new(text, lane.Name, patch, reason), null);
    }

    private string WhatThereIs(RuntimeLane lane, Workload? workload)
    {
        var there = lane.Patches.Concat(Others(lane, ask: true)).Where(patch => StateOf(lane, patch, workload).Status == PackStatus.Available).Select(lane.NameOf).ToList();
        return there.Count == 0 ? "nothing" : string.Join(", ", there);
    }

    private static string NotToBeHad(string runtime, Workload? workload, string why, string valid = "") =>
        $"runtime {runtime} is not available here{(workload?.Build.AspNetCore == true ? $" for {workload.Name}, which needs ASP.NET Core" : "")}: {why}.{valid} --feed DIR adds a folder of packages.";

    private PackState StateOf(RuntimeLane lane, string patch, Workload? workload) =>
        RuntimePacks.For(workload, SameIl, lane, patch).Select(pack => Packs.Find(pack.Id, pack.Version, ask: true)).MaxBy(state => state.Status) ?? PackState.Available;

    private IReadOnlyList<string> Others(RuntimeLane lane, bool ask) =>
        [.. Packs.Versions(RuntimePacks.Runtime, ask).Where(version => lane.Owns(version) && !lane.Patches.Contains(version, StringComparer.Ordinal))
            .Where(version => IsPatchOf(lane.NameOf(version), lane)).OrderByDescending(version => version, VersionOrder.Instance)];

    private static bool IsPatchOf(string text, RuntimeLane lane) =>
        text.StartsWith(lane.Name + ".", StringComparison.Ordinal)
        && text[(lane.Name.Length + 1)..] is { Length: > 0 and <= 3 } number && number.All(char.IsAsciiDigit) && (number.Length == 1 || number[0] != '0');
}
