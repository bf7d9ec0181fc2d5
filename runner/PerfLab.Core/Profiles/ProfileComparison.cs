using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Profiles;

/// <summary>
/// What differs between the profiles of two arms beyond chance: the rounds are pairs, as in a comparison, so the same exact test holds,
/// with
/// Holm over everything that was looked at. Two lucky samples make no culprit.
/// </summary>
public static class ProfileComparison
{
    /// <summary>Chance of naming anything at all, for each kind, where nothing changed.</summary>
    public const double FamilyError = 0.05;

    /// <summary>Coverage of the intervals.</summary>
    public const double Coverage = 0.95;

    /// <summary>
    /// Of what a unit of work costs: a method that costs less in both arms is not looked at, and a smaller change is not named.
    /// </summary>
    public const double LeastShare = 0.01;

    /// <summary>Fewer rounds give no p that survives Holm over some twenty methods.</summary>
    public const int LeastRounds = 10;

    /// <summary>Traced rounds of a row. Two more than are needed: a launch may leave a trace that is cut.</summary>
    public const int Rounds = LeastRounds + 2;

    /// <summary>Rows that are explained without being named: each takes its 24 launches.</summary>
    public const int MostRows = 3;

    public static IReadOnlyList<FigureChange> Figures(IReadOnlyList<(LaunchProfile Reference, LaunchProfile Arm)> rounds)
    {
        var changes = Enum.GetValues<ProfileFigure>()
            .Select(figure => (Figure: figure, Pairs: Pairs(rounds, profile => profile.Figures.GetValueOrDefault(figure))))
            .Where(pair => pair.Pairs.Any(value => value.Reference > 0 || value.Arm > 0)).ToList();
        return [.. Tested(changes, pair => pair.Pairs, _ => null)
            .Where(test => Math.Abs(test.Change) >= LeastShare * Math.Max(test.Reference, test.Arm))
            .OrderByDescending(test => Math.Abs(test.Change) / Math.Max(test.Reference, test.Arm))
            .Select(test => new FigureChange(
                test.Subject.Figure, test.Reference, test.Arm, test.Change, test.Low, test.High, test.AdjustedP))];
    }

    public static IReadOnlyList<MethodChange> Methods(ProfileKind kind, IReadOnlyList<(LaunchProfile Reference, LaunchProfile Arm)> rounds)
    {
        var costs = rounds
            .Select(round => (Reference: new MethodCosts(round.Reference.Of(kind)), Arm: new MethodCosts(round.Arm.Of(kind)))).ToList();
        var total = costs.Count == 0 ? 0
            : Math.Max(Median.Of(costs.Select(cost => cost.Reference.Total)), Median.Of(costs.Select(cost => cost.Arm.Total)));
        if (total <= 0)
        {
            return [];
        }

        var methods = costs.SelectMany(cost => cost.Reference.Methods.Concat(cost.Arm.Methods)).Distinct(StringComparer.Ordinal)
            .Select(method => (Method: method, Pairs: Pairs(costs, cost => cost.Own(method))))
            .Where(method => Math.Max(method.Pairs.Average(pair => pair.Reference), method.Pairs.Average(pair => pair.Arm))
                >= LeastShare * total)
            .OrderBy(method => method.Method, StringComparer.Ordinal).ToList();
        return [.. Tested(methods, method => method.Pairs, _ => total)
            .Where(test => Math.Abs(test.Change) >= LeastShare * total)
            .OrderByDescending(test => Math.Abs(test.Change)).ThenBy(test => test.Subject.Method, StringComparer.Ordinal)
            .Select(test => new MethodChange(
                kind, test.Subject.Method, test.Reference, test.Arm, test.Change, test.Low, test.High, test.Change / total,
                Centre(Pairs(costs, cost => cost.All(test.Subject.Method)), total), test.Agree, test.AdjustedP))];
    }

    private static List<Test<T>> Tested<T>(IReadOnlyList<T> candidates, Func<T, IReadOnlyList<Pair>> pairs, Func<T, double?> scale)
    {
        var tests = candidates.Select(candidate => Test<T>.Of(candidate, pairs(candidate), scale(candidate))).OfType<Test<T>>().ToList();
        var adjusted = Holm.Adjust([.. tests.Select(test => test.P)]);
        return [.. tests.Select((test, index) => test with { AdjustedP = adjusted[index] })
            .Where(test => test.AdjustedP <= FamilyError && (test.Low > 0 || test.High < 0))];
    }

    private static List<Pair> Pairs<T>(IEnumerable<(T Reference, T Arm)> rounds, Func<T, double> cost) =>
        [.. rounds.Select(round => new Pair(cost(round.Reference), cost(round.Arm)))];

    private static double Centre(IEnumerable<Pair> pairs, double scale) =>
        new WalshAverages([.. pairs.Select(pair => (pair.Arm - pair.Reference) / scale)]).Centre * scale;

    private sealed record Pair(double Reference, double Arm);

    private sealed record Test<T>(T Subject, double Reference, double Arm, double Change, double Low, double High, double Agree, double P)
    {
        public double AdjustedP { get; init; }

        /// <param name="scale">What differences are divided by, so that the test's resolution is far below them; null for the values
        /// themselves.</param>
        public static Test<T>? Of(T candidate, IReadOnlyList<Pair> pairs, double? scale)
        {
            if (pairs.Count < LeastRounds)
            {
                return null;
            }

            var unit = scale ?? pairs.Max(pair => Math.Max(pair.Reference, pair.Arm));
            double[] differences = [.. pairs.Select(pair => (pair.Arm - pair.Reference) / unit)];
            var walsh = new WalshAverages(differences);
            return walsh.Interval(Coverage) is not { } interval ? null : new(
                candidate, Median.Of(pairs.Select(pair => pair.Reference)), Median.Of(pairs.Select(pair => pair.Arm)),
                walsh.Centre * unit, interval.Low * unit, interval.High * unit,
                differences.Count(difference => Math.Sign(difference) == Math.Sign(walsh.Centre)) / (double)differences.Length,
                SignedRank.Test(differences).TwoSided);
        }
    }
}
