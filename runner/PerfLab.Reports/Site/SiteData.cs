using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Trends;

namespace PerfLab.Reports.Site;

/// <summary>One session of a series.</summary>
/// <param name="Session">Its place in <see cref="SiteHistory.Sessions"/>.</param>
/// <param name="Commit">What was measured: a commit, or a build's hash. Untrusted.</param>
/// <param name="Reference">What it was measured against; in a trend the anchor. Untrusted.</param>
/// <param name="Change">ln(arm / reference), + is worse; null where there is none.</param>
/// <param name="Low">Lower end of its interval, in log units.</param>
/// <param name="High">Upper end of it.</param>
/// <param name="Value">Median of the arm, in the unit.</param>
/// <param name="ReferenceValue">Median of the reference.</param>
/// <param name="Verdict">As a comparison has it; null without one.</param>
public sealed record SitePoint(
    int Session, string? Commit, string? Reference, double? Change, double? Low, double? High, double? Value, double? ReferenceValue,
    double? Noise, int Rounds, string? Verdict);

/// <summary>One program on one make of machine, from the oldest session to the newest.</summary>
public sealed record SiteSeries(SeriesName Name, string Hash, IReadOnlyList<SitePoint> Points)
{
    /// <summary>
    /// What can lie on one line. The same program is measured against its anchor in a trend, against a commit in an experiment and against
    /// itself in
    /// an A/A run: where there is a trend, its points alone.
    /// </summary>
    public IReadOnlyList<SitePoint> OnOneLine(IReadOnlyList<SiteSession> sessions) =>
        Points.Where(point => sessions[point.Session].Kind == SiteSession.Trend).ToList() is { Count: > 0 } trend ? trend : Points;
}

/// <summary>One session.</summary>
/// <param name="Kind">"trend", "comparison", "aa", "values".</param>
/// <param name="Machine">Fingerprint.</param>
/// <param name="Seconds">From its start to the end of its last launch; null where its journal can't be read.</param>
public sealed record SiteSession(
    string Id, string Hash, DateTimeOffset Started, string Kind, string Machine, string Cpu, string Executor, bool Complete, int Cells,
        int Launches,
    bool IsFlagged, double? Seconds)
{
    public const string Trend = "trend", Aa = "aa";
}

/// <summary>One make of machine.</summary>
/// <param name="Facts">What its fingerprint is made of. Untrusted.</param>
/// <param name="PricePerHour">Of perf-lab.yaml, where a machine of this size is listed.</param>
public sealed record SiteMachine(string Fingerprint, string Cpu, IReadOnlyList<(string Name, string Value)> Facts, double? PricePerHour);

/// <summary>How far the A/A runs of one cell came apart.</summary>
/// <param name="Largest">The largest distance, a fraction.</param>
public sealed record AaSpread(SeriesName Name, int Runs, double Largest);

/// <summary>Everything of a history but its series, which come one by one: there may be millions of points.</summary>
public sealed record SiteHistory
{
    /// <summary>The oldest first.</summary>
    public required IReadOnlyList<SiteSession> Sessions { get; init; }
    public required IReadOnlyList<SiteMachine> Machines { get; init; }

    /// <summary>What the last look at the trend knew; null before the first.</summary>
    public TrendState? Trend { get; init; }

    /// <summary>Null before the first A/A run.</summary>
    public FalseFlags? FalseFlags { get; init; }
    public required IReadOnlyList<AaSpread> AaSpreads { get; init; }
}

/// <summary>How a site is made.</summary>
/// <param name="Repository">"https://github.com/owner/name": where commits are linked; null: not at all.</param>
/// <param name="Name">What the lab is called.</param>
public sealed record SiteSettings(string? Repository, string Name = "perf-lab");

/// <summary>One file of a site.</summary>
/// <param name="Path">Below the site's folder, with slashes; nothing in it is chosen by a journal.</param>
public sealed record SiteFile(string Path, string Content);
