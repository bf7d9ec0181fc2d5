using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;

namespace PerfLab.Building.Runtimes;

/// <summary>A release as <c>list runtimes</c> shows it.</summary>
/// <param name="Patches">What is known of each patch on this machine, the newest first.</param>
public sealed record RuntimeListing(RuntimeRelease Release, IReadOnlyList<PatchListing> Patches);

/// <summary>A patch and what is known about it on this machine.</summary>
/// <param name="AspNetCore">For programs that also need ASP.NET Core.</param>
public sealed record PatchListing(string Patch, PackState Runtime, PackState AspNetCore);

/// <summary>Which runtimes can be published here: what the package sources say, once a day.</summary>
/// <param name="storeFolder">The folder for builds; what package sources said is remembered there.</param>
/// <param name="clock">For how long an answer is the newest.</param>
public sealed class RuntimeCatalog(string storeFolder, DotnetCli dotnet, TimeProvider? clock = null)
{
    private PackIndex? _packs;

    /// <summary>Folders of packages beside the configured sources.</summary>
    public IReadOnlyList<string> Feeds { get; init; } = [];

    /// <summary>NuGet's folder of unpacked packages.</summary>
    public string Packages { get; init; } = PackageFolder.Global();

    /// <summary>Compile the lowest target framework for every arm.</summary>
    public bool SameIl { get; init; }

    /// <summary>Programs are built with the newest SDK that is here, whatever a global.json asks for.</summary>
    public bool CurrentSdk { get; init; }

    /// <summary>Ends questions that are under way when the command is interrupted.</summary>
    public CancellationToken Stop { get; init; }

    /// <summary>For how long an answer of the package sources is waited for.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Is told who is waited for, who could not be asked, and what holds instead; a sentence each.</summary>
    public Action<string> Say { get; init; } = _ => { };

    private PackIndex Packs => _packs ??= new(storeFolder, dotnet, clock ?? TimeProvider.System)
    {
        Feeds = Feeds,
        Packages = Packages,
        Stop = Stop,
        Patience = Patience,
        Say = Say,
    };

    /// <summary>The versions of a package that the package sources have, the newest first; empty where no source can say.</summary>
    public IReadOnlyList<string> VersionsOf(string id) => [.. Packs.Versions(id, ask: true).OrderDescending(VersionOrder.Instance)];

    /// <summary>Every release that a package source has or runtimes.json describes, newest first.</summary>
    /// <param name="ask">Whether package sources may be asked where nothing is known.</param>
    public IReadOnlyList<RuntimeListing> List(bool ask) => [.. Releases(ask).Select(release => new RuntimeListing(
        release,
        [.. Patches(release, ask).Select(patch => new PatchListing(patch, Packs.Find(RuntimePacks.Runtime, patch, ask), Packs.Find(RuntimePacks.AspNetCore, patch, ask)))]))];

    /// <summary>The releases of which there is a runtime pack, oldest first: "net10.0".</summary>
    public IReadOnlyList<string> ThatAreThere() =>
        [.. Releases(ask: true).Where(release => Patches(release, ask: true).Any(patch => StateOf(release, patch, null).Status == PackStatus.Available)).Select(release => release.Name).Reverse()];

    /// <summary>
    /// "net8.0" becomes the newest patch with all that the workload needs, "net8.0.30" that patch. A release that can't be had here comes
    /// back as unavailable with the reason, like a patch that lacks what only this workload needs; a patch or a release that no source has
    /// and a word that is no runtime come back as problems.
    /// </summary>
    public (ResolvedRuntime? Runtime, Problem? Problem) Resolve(string text, Workload? workload = null)
    {
        if (RuntimeRelease.Find(text) is { } release && !IsNowhere(release))
        {
            return (Newest(release, workload), null);
        }

        if (RuntimeRelease.OfExact(text) is { } owner)
        {
            return Exactly(owner, text, workload);
        }

        // Where no source says what there is, those that are known are better than none.
        var names = ThatAreThere() is { Count: > 0 } there ? there : [.. Releases(ask: true).Select(known => known.Name)];
        return (null, new("runtime", WhyNone(text),
            RuntimeRelease.OfPatch(text) is { } meant ? $"Did you mean {meant.NameOf(text)}?" : NearestNames.Suggest(text, names)));
    }

    /// <summary>The workload with the versions that package sources have of the frameworks in question, or of all.</summary>
    public Workload WithVersions(Workload workload, bool ask = true, Func<string, bool>? isAsked = null)
    {
        var versions = new FrameworkVersions(Packs);
        return workload with { Frameworks = [.. workload.Frameworks.Select(framework => isAsked?.Invoke(framework.Name) == false ? framework : versions.Served(framework, ask))] };
    }

    /// <summary>
    /// The workload without the targets that the SDK in its folder can't compile: its program for an older target runs on the newer
    /// runtime. A problem when none is left.
    /// </summary>
    public async Task<(Workload Workload, Problem? Problem)> CompilableAsync(Workload workload)
    {
        // The runner itself was built with the SDK's major: only what is newer than that needs a question.
        var claimed = workload.Build.Runtimes;
        if (claimed.All(target => TargetFrameworks.Number(target) <= Environment.Version.Major))
        {
            return (workload, null);
        }

        var sdk = await dotnet.SdkVersionAsync(CurrentSdk ? DotnetCli.BelowNoGlobalJson : workload.Folder, Stop);
        if (!int.TryParse(sdk?.Split('.')[0], CultureInfo.InvariantCulture, out var major))
        {
            return (workload, null);
        }

        var left = claimed.Where(target => TargetFrameworks.Number(target) <= major).ToList();
        return left.Count > 0
            ? (workload.Claiming(left), null)
            : (workload, new(workload.Name, $"it is compiled for {string.Join(", ", claimed)}, and the SDK in {workload.Folder} is {sdk}.",
                $"Install the .NET {TargetFrameworks.Number(claimed[0]):0} SDK, or add net{major}.0 to its targets: that program runs on the newer runtime, too."));
    }

    private string WhyNone(string text)
    {
        if (RuntimeRelease.Find(text) is not { } release)
        {
            return VersionOrder.IsPreview(text) ? $"'{text}' is a preview, and previews are not measured." : $"'{text}' is not a runtime.";
        }

        var previews = VersionsOf(RuntimePacks.Runtime).Where(VersionOrder.IsPreview)
            .Where(version => version.StartsWith(release.Number + ".", StringComparison.Ordinal)).ToList();
        return previews is [] ? $"no package source has a runtime pack of {text}."
            : $"of {text} there are previews only, which are not measured: {NearestNames.First(previews)}.";
    }

    // Where a source is silent, a release that nobody heard of may exist.
    private bool IsNowhere(RuntimeRelease release) =>
        release.Seen is null && Patches(release, ask: true).Count == 0 && Packs.Find(RuntimePacks.Runtime, release.Number + ".0", ask: true).Status == PackStatus.Missing;

    private ResolvedRuntime Newest(RuntimeRelease release, Workload? workload)
    {
        var states = Patches(release, ask: true).Select(patch => (Patch: patch, State: StateOf(release, patch, workload))).ToList();
        if (states is [])
        {
            var none = release.Number + ".0";
            return new(release.Name, release.Name, none, NotToBeHad(release.Name, workload, Packs.Find(RuntimePacks.Runtime, none, ask: true).Why!));
        }

        // What certainly can be had goes before what only a build can find out.
        var best = states.Find(known => known.State.Status == PackStatus.Available) is { Patch: not null } available ? available
            : states.Find(known => known.State.Status != PackStatus.Missing);
        if (best.Patch is { } patch)
        {
            return new(release.Name, release.Name, patch, null);
        }

        // The newest patch that there is says more about what else is missing than one that no source has.
        var nearest = states.Find(known => Packs.Find(RuntimePacks.Runtime, known.Patch, ask: true).Status == PackStatus.Available) is { Patch: not null } there ? there : states[0];
        return new(release.Name, release.Name, nearest.Patch,
            NotToBeHad(release.Name, workload, states.Count > 1 ? $"{nearest.State.Why}, nor what another {release.Number} needs" : nearest.State.Why!));
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
        var there = Patches(release, ask: true).Where(patch => StateOf(release, patch, workload).Status == PackStatus.Available).Select(release.NameOf).ToList();
        return there.Count == 0 ? "nothing" : NearestNames.First(there);
    }

    private static string NotToBeHad(string runtime, Workload? workload, string why, string valid = "") =>
        $"runtime {runtime} is not available here"
        + $"{(workload?.Build.AspNetCore == true ? $" for {workload.Name}, which needs ASP.NET Core" : "")}: {why}.{valid} "
        + "`./perf-lab list runtimes` shows what there is; --feed DIR adds a folder of packages.";

    private PackState StateOf(RuntimeRelease release, string patch, Workload? workload) =>
        RuntimePacks.For(workload, SameIl, release, patch).Select(pack => Packs.Find(pack.Id, pack.Version, ask: true)).MaxBy(state => state.Status) ?? PackState.Available;

    private IEnumerable<RuntimeRelease> Releases(bool ask) => Packs.Versions(RuntimePacks.Runtime, ask).Select(RuntimeRelease.OfPatch).OfType<RuntimeRelease>()
        .Concat(RuntimeRelease.Described).DistinctBy(release => release.Name, StringComparer.Ordinal).OrderByDescending(release => TargetFrameworks.Number(release.Name));

    /// <summary>Newest first; the one of runtimes.json is among them, so that a source which can't say what it has is tried.</summary>
    private IReadOnlyList<string> Patches(RuntimeRelease release, bool ask) =>
        [.. Packs.Versions(RuntimePacks.Runtime, ask).Where(release.Owns).Concat(release.Seen is { } seen ? [seen] : []).Distinct(StringComparer.Ordinal).OrderByDescending(version => version, VersionOrder.Instance)];
}
