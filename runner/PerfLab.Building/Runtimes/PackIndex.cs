using PerfLab.Building.Tools;

namespace PerfLab.Building.Runtimes;

/// <summary>
/// Which versions of runtime packs and frameworks' packages can be had, as the package sources say themselves: a search for each, nothing
/// is downloaded. What they said is believed for a day; a no is asked again when somebody names the version. Folders given with --feed are
/// always asked: people put packages there and try again.
/// </summary>
/// <param name="storeFolder">Where answers are remembered, and whose nuget.config files (its own and those above) name the sources.</param>
internal sealed class PackIndex(string storeFolder, DotnetCli dotnet, TimeProvider clock)
{
    private static readonly TimeSpan BelievedFor = TimeSpan.FromDays(1);
    private static readonly TimeSpan Quiet = TimeSpan.FromSeconds(5);

    private readonly PackMemory _memory = new(Path.Combine(storeFolder, "runtime-packs.json"));
    private readonly Dictionary<string, PackAnswer> _asked = new(StringComparer.Ordinal);
    private readonly HashSet<string> _told = new(StringComparer.Ordinal);
    private bool _gaveUp;

    public IReadOnlyList<string> Feeds { get; init; } = [];

    /// <summary>NuGet's folder of unpacked packages.</summary>
    public required string Packages { get; init; }

    public CancellationToken Stop { get; init; }

    /// <summary>
    /// For how long an answer is waited for. Sources that took longer are not asked again by this command: a plan asks for many packages.
    /// </summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Is told who is waited for, who could not be asked, and what holds instead.</summary>
    public Action<string> Say { get; init; } = _ => { };

    /// <summary>What is known about a version; <paramref name="ask"/> says whether package sources may be asked where nothing is.</summary>
    public PackState Find(string id, string version, bool ask)
    {
        if (PackageFolder.Holds(Packages, id, version))
        {
            return PackState.Available;
        }

        if (Known(id, ask) is not { } known)
        {
            return PackState.NotAsked;
        }

        var state = known.StateOf(id, version);
        return state.Status == PackStatus.Available || !IsOld(known) ? state
            : ask ? Ask(id).StateOf(id, version)
            : PackState.NotAsked;
    }

    /// <summary>Like <see cref="Find"/>, but a remembered "no" is not enough: for somebody who named this very version.</summary>
    public PackState FindNow(string id, string version) =>
        Find(id, version, ask: true) is { Status: PackStatus.Missing } && !_asked.ContainsKey(id) ? Ask(id).StateOf(id, version) : Find(id, version, ask: true);

    /// <summary>
    /// Every version that is known to be there, in no order. What was asked longer than a day ago is asked anew, because the newest version
    /// is looked for; where nobody answers, what was known stays.
    /// </summary>
    public IReadOnlyList<string> Versions(string id, bool ask)
    {
        var known = Known(id, ask);
        if (ask && known is not null && IsOld(known))
        {
            known = Ask(id);
        }

        return [.. (known?.Versions ?? []).Concat(PackageFolder.Versions(Packages, id)).Distinct(StringComparer.OrdinalIgnoreCase)];
    }

    private bool IsOld(PackAnswer answer) => clock.GetUtcNow() - answer.Asked >= BelievedFor;

    private PackAnswer? Known(string id, bool ask) =>
        _asked.TryGetValue(id, out var answer) ? answer
        : Feeds.Count == 0 || !ask ? _memory.Find(id) ?? (ask ? Ask(id) : null)
        : Ask(id);

    private PackAnswer Ask(string id)
    {
        var now = clock.GetUtcNow();
        var configured = AskSources(id, []);
        var isWhole = configured.All(source => source.Problem is null);
        if (isWhole)
        {
            _memory.Remember(id, new(now, configured));
        }

        // A published version never goes away: who does not answer today still has what it said before.
        var before = isWhole ? null : _memory.Find(id);
        if (!isWhole)
        {
            Tell(configured.First(source => source.Problem is not null), before);
        }

        var all = new PackAnswer(now, [.. configured, .. before?.Sources ?? [], .. Feeds.Count == 0 ? [] : AskSources(id, Feeds)]);
        _asked[id] = all;
        return all;
    }

    /// <summary>Once for all packages of which the same is to be said.</summary>
    private void Tell(SourceAnswer silent, PackAnswer? before)
    {
        var holds = before is null ? "A build will tell what there is." : Invariant($"What was known on {before.Asked:yyyy-MM-dd} holds.");
        var line = $"{silent.Source} could not say what there is: {silent.Problem!.TrimEnd('.')}. {holds}";
        if (_told.Add(line))
        {
            Say(line);
        }
    }

    // Planning is a plain function of what can be had; the one wait is here.
    private IReadOnlyList<SourceAnswer> AskSources(string id, IReadOnlyList<string> sources)
    {
        var noAnswer = new SourceAnswer(Asker, [], $"no answer within {Patience.TotalSeconds} seconds");
        if (_gaveUp && sources is [])
        {
            return [noAnswer];
        }

        Directory.CreateDirectory(storeFolder);
        // Previews too: whoever chooses leaves them out, and a refusal can say that there are no others.
        string[] search = ["package", "search", id, "--exact-match", "--prerelease", "--format", "json"];
        using var sign = clock.CreateTimer(
            _ => Say($"waiting for the package sources: which versions of {id} are there?"), null, Quiet, Timeout.InfiniteTimeSpan);
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(Stop);
        deadline.CancelAfter(Patience);
        try
        {
            var result = dotnet.RunAsync(
                [.. search, .. sources.SelectMany(source => (string[])["--source", source])], storeFolder, deadline.Token)
                .GetAwaiter().GetResult();
            return Read(result.Output) ?? [new(Asker, [], FirstLine(result.Output))];
        }
        catch (OperationCanceledException) when (!Stop.IsCancellationRequested)
        {
            _gaveUp |= sources is [];
            return [noAnswer];
        }
    }

    /// <summary>The answers in the JSON of `dotnet package search --format json`, or null when it is none.</summary>
    internal static IReadOnlyList<SourceAnswer>? Read(string output)
    {
        var (start, end) = (output.IndexOf('{'), output.LastIndexOf('}'));
        return start < 0 || end < start ? null : PackSearch.Format.Read(output[start..(end + 1)]).Value?.Answers;
    }

    private const string Asker = "dotnet package search";

    private static string FirstLine(string output) => output.Trim().Split('\n')[0].Trim() is { Length: > 0 } line ? line : "it said nothing";
}
