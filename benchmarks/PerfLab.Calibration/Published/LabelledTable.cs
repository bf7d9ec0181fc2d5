using static System.FormattableString;

namespace PerfLab.Calibration.Published;

/// <summary>What each way scores on a folder of series that people labelled, beside the figures published for the same series.</summary>
public static class LabelledTable
{
    /// <summary>Files of TCPDBench that may lie in the folder: F1 by series and method, with default settings or the best ones.</summary>
    private static readonly (string File, string Settings)[] PublishedFiles =
        [("default_f1_scores.json", "default settings"), ("oracle_f1_scores.json", "best settings of each series")];

    /// <summary>The tables, or what is wrong with the folder.</summary>
    /// <param name="folder">As <see cref="LabelledSeries.Of"/> reads it.</param>
    /// <param name="seed">Of the permutations.</param>
    public static (IReadOnlyList<string> Lines, string? Problem) Of(string folder, ulong seed)
    {
        var (series, leftOut, problem) = LabelledSeries.Of(folder);
        if (problem is not null)
        {
            return ([], problem);
        }

        List<string> beside = [];
        foreach (var (file, settings) in PublishedFiles.Where(one => File.Exists(Path.Combine(folder, one.File))))
        {
            var (published, wrong) = LabelledSeries.Json<Dictionary<string, Dictionary<string, double?>?>>(Path.Combine(folder, file));
            if (published is null)
            {
                return ([], wrong);
            }

            beside.AddRange(Published(published, settings, series));
        }

        Way[] ways = [.. Ways.All(seed), new("nothing found", _ => [])];
        string[] names = [.. ways.Select(way => way.Name), "a person, by the others"];
        List<Outcome?[]> outcomes = [.. series.AsParallel().AsOrdered().Select(one => Outcomes(one, ways))];
        var unanimous = series.Sum(one => Unanimous(one.People).Count);
        var without = leftOut.Count == 0 ? "none" : string.Join(", ", leftOut);
        return ([
            Invariant($"{series.Count} series, {series.Sum(one => one.Values.Length)} points; left out: {without}"),
            "",
            $"| series | points | people | changes a person sees | F1: {string.Join(" | ", names)} |",
            $"|---|---|---|---|{string.Concat(names.Select(_ => "---|"))}",
            .. series.Zip(outcomes, Row),
            "",
            Invariant($"| mean over these series | series | precision | recall | F1 | places a series ")
                + Invariant($"| found of the {unanimous} changes that all people see ")
                + Invariant($"| false places in the {series.Count(IsCalm)} series where nobody sees a change |"),
            "|---|---|---|---|---|---|---|---|",
            .. names.Index().Select(way => Mean(way.Item, [.. outcomes.Select(outcome => outcome[way.Index]).OfType<Outcome>()],
                [.. outcomes.Where((_, one) => IsCalm(series[one])).Select(outcome => outcome[way.Index]?.Places ?? 0)])),
            .. beside,
        ], null);
    }

    private static string Row(LabelledSeries series, Outcome?[] outcomes)
    {
        var f1 = string.Join(" | ", outcomes.Select(outcome => Invariant($"{outcome?.Score.F1:0.000}")));
        var seen = series.People.Average(labels => labels.Count);
        return Invariant($"| {series.Name} | {series.Values.Length} | {series.People.Count} | {seen:0.0} | {f1} |");
    }

    private static Outcome?[] Outcomes(LabelledSeries series, Way[] ways)
    {
        var unanimous = Unanimous(series.People);
        return
        [
            .. ways.Select(way => Of(series.People, way.Find(series.Values), unanimous)),
            Person(series.People, unanimous),
        ];
    }

    private static Outcome Of(IReadOnlyList<IReadOnlyList<int>> people, IReadOnlyList<int> found, List<int> unanimous) =>
        new(LabelScore.Of(people, found), found.Count, unanimous.Count(label => Has(found, label)));

    /// <summary>Each person's labels as if a way had found them, by the labels of the others; null where there are no others.</summary>
    private static Outcome? Person(IReadOnlyList<IReadOnlyList<int>> people, List<int> unanimous)
    {
        if (people.Count < 2)
        {
            return null;
        }

        var scores = people.Index().Select(one => LabelScore.Of([.. people.Where((_, other) => other != one.Index)], one.Item));
        return new(LabelScore.Mean([.. scores]), people.Average(labels => labels.Count), unanimous.Count);
    }

    /// <summary>Labels of the first person that everybody has, as near as a place must be.</summary>
    private static List<int> Unanimous(IReadOnlyList<IReadOnlyList<int>> people) =>
        [.. people[0].Where(label => people.All(labels => Has(labels, label)))];

    private static bool Has(IReadOnlyList<int> places, int label) => places.Any(place => Math.Abs(place - label) <= LabelScore.Margin);

    private static bool IsCalm(LabelledSeries series) => series.People.All(labels => labels.Count == 0);

    private static string Mean(string name, IReadOnlyList<Outcome> outcomes, IReadOnlyList<double> calm)
    {
        if (outcomes.Count == 0)
        {
            return $"| {name} | 0 | | | | | | |";
        }

        var mean = LabelScore.Mean([.. outcomes.Select(outcome => outcome.Score)]);
        return Invariant($"| {name} | {outcomes.Count} | {mean.Precision:0.000} | {mean.Recall:0.000} | {mean.F1:0.000} ")
            + Invariant($"| {outcomes.Average(outcome => outcome.Places):0.0} | {outcomes.Sum(outcome => outcome.Seen)} ")
            + Invariant($"| {calm.Sum()} in {calm.Count(places => places > 0)} |");
    }

    private static IEnumerable<string> Published(
        Dictionary<string, Dictionary<string, double?>?> published, string settings, IReadOnlyList<LabelledSeries> series)
    {
        List<Dictionary<string, double?>> same =
            [.. series.Select(one => published.GetValueOrDefault(one.Name)).OfType<Dictionary<string, double?>>()];
        foreach (var method in same.SelectMany(one => one.Keys).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal))
        {
            List<double> known = [.. same.Select(one => one.GetValueOrDefault(method)).OfType<double>()];
            if (known.Count > 0)
            {
                yield return Invariant($"| published: {method}, {settings} | {known.Count} | | | {known.Average():0.000} | | | |");
            }
        }
    }

    /// <summary>Of a way on a series: how many places it found, and how many of the changes that everybody sees.</summary>
    private sealed record Outcome(LabelScore Score, double Places, int Seen);
}
