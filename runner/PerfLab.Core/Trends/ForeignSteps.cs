using PerfLab.Core.Model;

namespace PerfLab.Core.Trends;

/// <summary>Steps in what other tools measured, for people. Nothing here is a verdict: no pair, and no proof of a setting.</summary>
public static class ForeignSteps
{
    /// <summary>Empty without series.</summary>
    public static string Of(IReadOnlyList<ForeignSeries> all)
    {
        if (all.Count == 0)
        {
            return "";
        }

        var text = new StringBuilder(Invariant($"\nmeasured by other tools ({all.Count} series): raw values, searched for steps.\n"))
            .Append("No anchor was measured beside them and no setting is proven: a step may be the machine's, ")
            .Append("and no experiment is asked for.\n");
        var few = 0;
        foreach (var series in all.OrderBy(one => one.Name, StringComparer.Ordinal).ThenBy(one => one.Unit, StringComparer.Ordinal))
        {
            var measured = series.Points.Count(point => point.Value is not null);
            few += measured < StepRule.Raw.LeastPoints ? 1 : 0;
            Append(text, series, measured);
        }

        return few == 0 ? text.ToString()
            : text.Append(Invariant($"  not searched, fewer than {StepRule.Raw.LeastPoints} values: {few} series\n")).ToString();
    }

    private static void Append(StringBuilder text, ForeignSeries series, int measured)
    {
        double[] values = [.. series.Points.Select(point => point.Value ?? double.NaN)];
        var changes = ChangePoints.OfRaw(values);
        if (changes.Count == 0)
        {
            return;
        }

        var unit = series.Unit is null ? "" : $" ({UntrustedText.Line(series.Unit)})";
        text.Append(CultureInfo.InvariantCulture, $"  {UntrustedText.Line(series.Name)}{unit}: {measured} values of {series.Tool}\n");
        foreach (var (at, change) in changes.Index())
        {
            var from = at == 0 ? 0 : changes[at - 1].Index;
            var level = ChangePoints.Level([.. values[from..change.Index].Where(double.IsFinite)]);
            var size = level == 0 ? Invariant($"by {Math.Abs(change.Size):G3}") : Invariant($"{100 * Math.Abs(change.Size / level):0.0} %");
            var before = Array.FindLastIndex(values, change.Index - 1, double.IsFinite);
            text.Append("    between ").Append(Place(series, before)).Append(" and ").Append(Place(series, change.Index))
                .Append(CultureInfo.InvariantCulture, $": {size} {(change.Size > 0 ? "higher" : "lower")}\n");
        }
    }

    private static string Place(ForeignSeries series, int index)
    {
        var point = series.Points[index];
        var day = point.Time?.UtcDateTime.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
        var name = point.Commit is { Length: > 0 } commit ? UntrustedText.Line(commit) : Invariant($"value {index + 1}");
        return day is null ? name : $"{name} ({day})";
    }
}
