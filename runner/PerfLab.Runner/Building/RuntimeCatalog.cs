using PerfLab.Core.Planning;
using PerfLab.Core.Requests;

namespace PerfLab.Runner.Building;

/// <summary>A lane as <c>list runtimes</c> shows it.</summary>
/// <param name="Patches">Known patches, newest first, with what is known about each on this machine.</param>
public sealed record RuntimeListing(RuntimeLane Lane, IReadOnlyList<(string Patch, PackStatus Status)> Patches);

/// <summary>Which runtimes can be published here. Listing never asks the network; resolving for a plan may, once per patch.</summary>
/// <param name="storeFolder">The folder for builds; what was tried is remembered there.</param>
/// <param name="dotnet">The .NET SDK.</param>
/// <param name="clock">For how long a "no" is believed.</param>
public sealed class RuntimeCatalog(string storeFolder, DotnetCli dotnet, TimeProvider? clock = null)
{
    private const string RuntimePack = "Microsoft.NETCore.App.Runtime.linux-x64";

    private readonly RuntimeTries _tries = new(Path.Combine(storeFolder, "runtimes-tried.json"), clock ?? TimeProvider.System);

    /// <summary>Folders of packages beside the configured sources.</summary>
    public IReadOnlyList<string> Feeds { get; init; } = [];

    /// <summary>NuGet's folder of unpacked packages.</summary>
    public string Packages { get; init; } = PackageFolder.Global();

    /// <summary>Ends tries that are under way when the command is interrupted.</summary>
    public CancellationToken Stop { get; init; }

    /// <summary>Every known lane, newest first. Asks nobody.</summary>
    public IReadOnlyList<RuntimeListing> List() =>
        [.. RuntimeLanes.All.Select(lane => new RuntimeListing(lane, [.. lane.Patches.Select(patch => (patch, Status(patch)))]))];

    /// <summary>
    /// "net8.0" becomes the newest known patch that can be had here, "net8.0.30" that patch, known or not. A runtime that exists but
    /// can't be had comes back as unavailable with the reason; a word that is no runtime comes back as a problem.
    /// </summary>
    public (ResolvedRuntime? Runtime, Problem? Problem) Resolve(string text)
    {
        if (RuntimeLanes.All.FirstOrDefault(lane => lane.Name == text) is { } asked)
        {
            return (Newest(asked), null);
        }

        if (RuntimeLanes.All.FirstOrDefault(lane => IsPatchOf(text, lane)) is { } owner)
        {
            return (Exactly(owner, text), null);
        }

        var names = RuntimeLanes.All.Select(lane => lane.Name).Concat(RuntimeLanes.All.SelectMany(lane => lane.Patches.Select(patch => NameOf(lane, patch))));
        return (null, new Problem("runtime", $"'{text}' is not a runtime.", NearestNames.Suggest(text, names)));
    }

    private ResolvedRuntime Newest(RuntimeLane lane)
    {
        var patch = lane.Patches.FirstOrDefault(patch => IsAvailable(patch));
        return patch is not null
            ? new ResolvedRuntime(lane.Name, lane.Name, patch, null)
            : new ResolvedRuntime(lane.Name, lane.Name, lane.Patches[0],
                $"runtime {lane.Name} can't be had here: no package source has {RuntimePack} in {string.Join(", ", lane.Patches)}. Another patch can be named ({lane.Name}.<patch>); --feed DIR adds a folder of packages.");
    }

    private ResolvedRuntime Exactly(RuntimeLane lane, string text)
    {
        var patch = lane.Number + text[lane.Name.Length..];
        return IsAvailable(patch)
            ? new ResolvedRuntime(text, lane.Name, patch, null)
            : new ResolvedRuntime(text, lane.Name, patch,
                $"runtime {patch} can't be had here: no package source has {RuntimePack} {patch}. Known patches of {lane.Name}: {string.Join(", ", lane.Patches)}.");
    }

    private static bool IsPatchOf(string text, RuntimeLane lane) =>
        text.StartsWith(lane.Name + ".", StringComparison.Ordinal)
        && text[(lane.Name.Length + 1)..] is { Length: > 0 and <= 3 } number && number.All(char.IsAsciiDigit);

    private static string NameOf(RuntimeLane lane, string patch) => lane.Name + patch[lane.Number.Length..];

    private PackStatus Status(string patch) =>
        PackageFolder.Holds(Packages, RuntimePack, patch) ? PackStatus.Available : _tries.Find(TryName(patch));

    // A "no" holds for the sources that were asked.
    private string TryName(string patch) => string.Join(' ', [RuntimePack, patch, .. Feeds]);

    private bool IsAvailable(string patch)
    {
        if (Status(patch) is var status and not PackStatus.NotTried)
        {
            return status == PackStatus.Available;
        }

        // Planning is a plain function of what can be had; the one wait, a second a patch and remembered, is here.
        var found = new PackProbe(dotnet, Feeds).TryAsync(RuntimePack, patch, Path.Combine(storeFolder, "unfinished"), Stop).GetAwaiter().GetResult();
        if (found is { } answer)
        {
            _tries.Remember(TryName(patch), answer);
        }

        return found ?? false;
    }
}
