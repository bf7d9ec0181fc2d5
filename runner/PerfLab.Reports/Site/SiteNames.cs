using System.Text.RegularExpressions;
using PerfLab.Core.Trends;

namespace PerfLab.Reports.Site;

/// <summary>Where pages lie, and what they are called. Addresses are made of hashes: names may come from anywhere.</summary>
internal static partial class SiteNames
{
    private const int HashChars = 16;

    public static string Series(string hash) => $"series/{hash[..2]}/{hash[..HashChars]}.html";

    public static string SeriesData(string hash) => $"data/{hash[..2]}/{hash[..HashChars]}.js";

    public static string Session(SiteSession session) => $"session/{session.Hash[..HashChars]}.html";

    public static string Workload(string name, int page)
    {
        var hash = Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(Encoding.UTF8.GetBytes(name)))[..HashChars];
        return page == 0 ? $"workload/{hash}.html" : Invariant($"workload/{hash}-{page + 1}.html");
    }

    /// <summary>"net10.0, pgo on, clients 100": what tells a series from the others of its workload. Untrusted.</summary>
    public static string Label(SeriesName name)
    {
        string[] first = ["runtime", "pgo"];
        var values = name.Values.OrderBy(pair => Array.IndexOf(first, pair.Key) is var place && place < 0 ? first.Length : place)
            .ThenBy(pair => pair.Key, StringComparer.Ordinal).Select(pair => pair.Key == "runtime" ? pair.Value
            : $"{pair.Key} {pair.Value}");
        var against = name.Against.Count == 0 ? ""
            : $" against {string.Join(", ", name.Against.Select(pair => $"{pair.Key} {pair.Value}"))}";
        return string.Join(", ", values) + against;
    }

    /// <summary>"a1b2c3d4e5f6" of a commit or of a build's hash; anything else as it is.</summary>
    public static string Commit(string? commit) => commit is null ? "not said" : CommitDigits().IsMatch(commit) ? commit[..12]
        : commit.StartsWith("sha256:", StringComparison.Ordinal) && commit.Length > 19 ? $"build {commit[7..19]}" : commit;

    /// <summary>
    /// Twelve digits of a commit, which git takes for it; anything else, and null, as it is: data files name every commit of every series.
    /// </summary>
    public static string? ShortCommit(string? commit) => commit is not null && CommitDigits().IsMatch(commit) ? commit[..12] : commit;

    /// <summary>The commit's page; null for what is none, and where nobody said where the repository is.</summary>
    public static string? CommitPage(SiteSettings settings, string? commit) =>
        settings.Repository is { } repository && commit is not null && CommitDigits().IsMatch(commit) ? $"{repository}/commit/{commit}"
            : null;

    public static string Day(DateTimeOffset time) => time.UtcDateTime.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture);

    /// <summary>A full commit, or the twelve digits by which a plan names one.</summary>
    [GeneratedRegex("^[0-9a-f]{12,40}\\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex CommitDigits();
}
