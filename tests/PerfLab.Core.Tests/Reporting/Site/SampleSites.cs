using System.Globalization;
using System.Text.RegularExpressions;
using PerfLab.Core.Model;
using PerfLab.Reports.Site;
using PerfLab.Core.Trends;

namespace PerfLab.Core.Tests.Reporting.Site;

/// <summary>Made-up histories, and the pages of their sites by path.</summary>
internal static class SampleSites
{
    public static readonly DateTimeOffset Start = new(2026, 1, 5, 3, 0, 0, TimeSpan.Zero);

    /// <summary>The first group of each match.</summary>
    public static IEnumerable<string> Found(string text, string pattern) =>
        Regex.Matches(text, pattern, RegexOptions.None, TimeSpan.FromSeconds(10)).Select(match => match.Groups[1].Value);

    public static string Page(Dictionary<string, string> files, SiteSeries series) => files[$"series/{series.Hash[..2]}/{series.Hash[..16]}.html"];

    public static Dictionary<string, string> Pages(TrendChange? change, params SiteSeries[] series) => Pages(change, [], series);

    public static Dictionary<string, string> Pages(TrendChange? change, IReadOnlyList<HostStep> steps, params SiteSeries[] series) =>
        new SiteMaker(History(change, steps, series), new("https://example.org/a/b")).Files(series, []).ToDictionary(file => file.Path, file => file.Content);

    public static SiteHistory History(TrendChange? change, IReadOnlyList<HostStep> steps, params SiteSeries[] series) => new()
    {
        Sessions = [.. Enumerable.Range(0, series.Max(one => one.Points.Count)).Select(index => new SiteSession($"s{index:00}", Convert.ToHexStringLower(
            System.Security.Cryptography.SHA256.HashData([(byte)index])), Start.AddDays(index), series[0].Points[0].Verdict == "of a comparison" ? "comparison" : SiteSession.Trend,
            "made", "cpu", "process", true, series.Length, 10, false, 60))],
        Machines = [],
        AaSpreads = [],
        Trend = new() { Series = series.Length, Sessions = 1, Changes = change is null ? [] : [change], Environment = steps, Stopped = [], Warnings = [] },
    };

    public static SiteSeries Series(string name, int points = 10, Func<int, double?>? change = null, double? value = 1, string verdict = "unchanged", string kind = SiteSession.Trend)
    {
        var made = new SeriesName
        {
            Workload = name.StartsWith('n') || name.Length > 10 ? "many" : name,
            Values = new Dictionary<string, string> { ["documents"] = name },
            Against = new Dictionary<string, string>(),
            Metric = "time",
            Unit = "s",
            Better = Better.Lower,
            Machine = "made",
            Cpu = "cpu",
            Executor = "process",
        };
        return new(made, made.Hash, [.. Enumerable.Range(0, points).Select(index =>
        {
            var log = change is null ? Math.Log(1.01) : change(index);
            return new SitePoint(index, string.Create(CultureInfo.InvariantCulture, $"c{index:00000000000}"), "0000000", log, change is null ? 0 : null, change is null ? Math.Log(1.02) : null,
                value, 2, 0.01, 20, kind == SiteSession.Trend ? verdict : "of a comparison");
        })]);
    }

    public static TrendChange Change(ChangeStatus status, params (SiteSeries Series, double Change)[] members) => new()
    {
        Id = "0123456789ab",
        Status = status,
        Machine = "made",
        Cpu = "cpu",
        Executor = "process",
        Before = Place(3),
        After = Place(6),
        Found = "s06",
        Looks = 1,
        Members = [.. members.Select(member => new TrendMember
        {
            Workload = member.Series.Name.Workload,
            Values = member.Series.Name.Values,
            Metric = "time",
            Unit = "s",
            Change = member.Change,
            PValue = 0.001,
            Series = member.Series.Hash,
        })],
    };

    public static Experiment Measured(SiteSeries series) =>
        new("experiment", 0.25, 0.24, 0.26, 0.0001, 28, Core.Statistics.Stages.Verdict.Regressed) { Series = series.Hash };

    public static TrendPlace Place(int day) => new(string.Create(CultureInfo.InvariantCulture, $"s{day:00}"), Start.AddDays(day), string.Create(CultureInfo.InvariantCulture, $"c{day:00000000000}"));
}
