using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Trends;

namespace PerfLab.Runner.Commits;

/// <summary>What file and journals say together.</summary>
/// <param name="Change">That is searched for.</param>
/// <param name="Between">Index of a commit that is neither as good nor as bad, where one is known and not yet searched up to.</param>
internal sealed record BisectState(SoughtChange Change, CommitSearch Search, int? Between)
{
    /// <param name="file">The search.</param>
    /// <param name="results">What its probes measured, by number.</param>
    /// <param name="margin">A fraction: the smallest change that matters.</param>
    public static BisectState Of(BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, double margin)
    {
        var ends = results[file.Probes.First(probe => probe.Kind == ProbeKind.Ends).Number];
        double[] differences = [.. ends.Differences];
        var whole = differences;
        var change = new SoughtChange(new WalshAverages(differences).Centre, Noise.Of(differences) ?? 0);
        var last = Last(file);
        List<CommitEvidence> evidence = [.. Enumerable.Range(0, last + 1).Select(index => Evidence(file, results, index))];
        if (last < file.Commits.Count - 1)
        {
            whole = [.. evidence[last].Differences];
            change = change with { Size = new WalshAverages(whole).Centre };
        }

        StepEvidence[] steps = [.. file.Probes
            .Where(probe => probe.Kind == ProbeKind.Confirmation && probe.Reference < last && results.ContainsKey(probe.Number))
            .Select(probe => new StepEvidence(probe.Reference, probe.Commit, results[probe.Number].Differences))];
        return new(change, new(change, evidence, steps), CommitSearch.Between(whole, evidence, Math.Log(1 + margin)));
    }

    /// <summary>The probes that measured the two side by side.</summary>
    public static IEnumerable<BisectProbe> Confirmations(BisectFile file, (int Good, int Bad) pair) => file.Probes.Where(
        probe => probe.Kind == ProbeKind.Confirmation && (probe.Reference, probe.Commit) == pair);

    /// <summary>Paired log ratios of a commit and good, of all probes of the search.</summary>
    public static IEnumerable<double> Differences(BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, int index) => file.Probes
        .Where(probe => probe.Kind == ProbeKind.Search && probe.Commit == index && results.ContainsKey(probe.Number))
        .SelectMany(probe => results[probe.Number].Differences);

    /// <summary>Whether the commit's bits are those of good, or of the commit that is searched up to.</summary>
    public static bool IsOfAnEnd(BisectFile file, int commit) => Class(file, commit) is { } build
        && (build == Class(file, 0) || build == Class(file, Last(file)));

    /// <summary>Whether the first runs what good runs, and the second what bad runs: the ends measured them.</summary>
    public static bool AreTheEnds(BisectFile file, (int Good, int Bad) pair) =>
        IsAs(file, pair.Good, 0) && IsAs(file, pair.Bad, file.Commits.Count - 1);

    private static bool IsAs(BisectFile file, int one, int other) =>
        one == other || (Class(file, one) is { } build && build == Class(file, other));

    /// <summary>
    /// Identity of one of the builds from which the commit's differs in nothing that is run here: two of the same are as fast.
    /// </summary>
    private static string? Class(BisectFile file, int index)
    {
        var (commit, seen) = (file.Commits[index], new HashSet<string>(StringComparer.Ordinal));
        while (commit.SameAs is { } same && seen.Add(same) && file.Commits.FirstOrDefault(one => one.Id == same) is { } other)
        {
            commit = other;
        }

        return commit.Build;
    }

    private static int Last(BisectFile file) => file.Commits.ToList().FindIndex(commit => commit.Id == (file.SearchedUpTo ?? file.Bad));

    private static CommitEvidence Evidence(BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, int index) => new()
    {
        Differences = [.. Differences(file, results, index)],
        IsUntestable = file.Commits[index].Untestable is not null,
        Build = Class(file, index),
    };
}

internal static class BisectChange
{
    /// <summary>The file with one of its commits changed.</summary>
    public static BisectFile With(this BisectFile file, int index, Func<BisectCommit, BisectCommit> change) =>
        file with { Commits = [.. file.Commits.Select((commit, at) => at == index ? change(commit) : commit)] };
}
