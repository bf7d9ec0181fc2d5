using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Trends;

namespace PerfLab.Runner.Commits;

/// <summary>The steps between commits that were measured, each with the command that confirms it.</summary>
internal static class BackfillText
{
    /// <summary>Chance of a step where nothing changed, over all rows and gaps together.</summary>
    private const double FalseSteps = 0.05;

    private const double IntervalZ = 1.959963984540054; // 95 %

    /// <param name="line">The anchor first.</param>
    /// <param name="known">Commits that have values, in the order of the line.</param>
    /// <param name="asked">The target and its values, as they are typed.</param>
    public static string Of(IReadOnlyList<PastCommit> line, IReadOnlyList<BackfilledPlace> known, string asked)
    {
        var text = new StringBuilder();
        var rows = known.SelectMany(place => place.Values.Keys).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal).ToList();
        var least = rows.Count == 0 || known.Count == 0 ? 0
            : NormalDistribution.UpperQuantile(FalseSteps / 2 / (rows.Count * known.Count)) / IntervalZ;
        var told = known.Select(place => place.Runs).OfType<string>().CountBy(runs => runs, StringComparer.Ordinal)
            .Any(runs => runs.Value > 1);
        foreach (var row in rows)
        {
            foreach (var (before, after) in Neighbours(row, known))
            {
                var (from, to) = (before.Values.GetValueOrDefault(row), after.Values.GetValueOrDefault(row));
                var change = to.Change - from.Change;
                var isStep = Math.Abs(change) > least * Math.Sqrt((from.Half * from.Half) + (to.Half * to.Half));
                var between = after.Place - before.Place;
                // Where builds can be told apart, a place is sure whatever its size; where they can't, every commit differs from the next.
                if (!isStep && (!told || between > 1 || before.Runs == after.Runs))
                {
                    continue;
                }

                text.Append(Invariant($"  {UntrustedText.Line(row)}: {TrendText.Words(Math.Exp(change) - 1)}"))
                    .Append(isStep ? " " : ", within noise, ")
                    .Append(between == 1 ? "at " : Invariant($"in one of {between} commits up to "))
                    .Append(Words(line[after.Place])).Append('\n')
                    .Append(CultureInfo.InvariantCulture, $"    confirm: ./perf-lab run {asked} ")
                    .Append(CultureInfo.InvariantCulture, $"--base source={line[before.Place].Id[..12]} ")
                    .Append(CultureInfo.InvariantCulture, $"--head source={line[after.Place].Id[..12]} --rounds 0+{ConfirmLine.Rounds}\n");
            }
        }

        return (text.Length == 0 ? "no step between the commits that have values\n" : (told
            ? "where what it runs changed; \"within noise\" unless beyond chance in all of these together (5 %):\n"
            : "steps between commits, beyond chance in all of these together (5 %):\n") + text) + "\n";
    }

    /// <summary>
    /// Commits that have a value of the row, each with the one before it. A commit that runs what another one runs has that one's value, so
    /// that a gap is as narrow as the builds prove.
    /// </summary>
    private static IEnumerable<(BackfilledPlace Before, BackfilledPlace After)> Neighbours(string row, IReadOnlyList<BackfilledPlace> known)
    {
        var before = known.Count == 0 ? null : known[0];
        foreach (var after in known.Where(place => place.Place > 0 && (place.Values.Count == 0 || place.Values.ContainsKey(row))))
        {
            yield return (before!, after);
            before = after;
        }
    }

    private static string Words(PastCommit commit)
    {
        var tags = string.Concat(commit.Tags.Select(tag => $", {UntrustedText.Line(tag)}"));
        return Invariant($"{commit.Id[..12]} ({commit.At:yyyy-MM-dd}{tags}) {commit.Subject}");
    }
}
