using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Profiles;

/// <summary>
/// What differs between the profiles of two arms beyond chance: the rounds are pairs, as in a comparison, so the same exact test holds,
/// with Holm over everything that was looked at. Two lucky samples make no culprit.
/// </summary>
public static class ProfileComparison
{
    /// <summary>Chance of naming anything at all in a row where nothing changed.</summary>
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

    /// <summary>What changed: counters, the largest part first, and methods by kind, the largest change first.</summary>
    public static ProfileChanges Of(IReadOnlyList<(LaunchProfile Reference, LaunchProfile Arm)> rounds)
    {
        List<Candidate> candidates = [.. Figures(rounds), .. Enum.GetValues<ProfileKind>().SelectMany(kind => Methods(kind, rounds))];
        // One family: a row that names nobody who is innocent, in 95 of 100 rows where nothing changed.
        var adjusted = Holm.Adjust([.. candidates.Select(candidate => candidate.P)]);
        var changed = candidates.Select((candidate, index) => candidate with { AdjustedP = adjusted[index] })
            .Where(candidate => candidate.AdjustedP <= FamilyError && (candidate.Low > 0 || candidate.High < 0)
                && Math.Abs(candidate.Change) >= LeastShare * candidate.Everything)
            .ToList();
        return new(
            [.. changed.Where(one => one.Figure is not null).OrderByDescending(one => Math.Abs(one.Change) / one.Everything)
                .Select(one => new FigureChange(one.Figure!.Value, one.Reference, one.Arm, one.Change, one.Low, one.High, one.AdjustedP))],
            [.. changed.Where(one => one.Figure is null).OrderBy(one => one.Kind)
                .ThenByDescending(one => Math.Abs(one.Change)).ThenBy(one => one.Method, StringComparer.Ordinal)
                .Select(one => new MethodChange(
                    one.Kind, one.Method, one.Reference, one.Arm, one.Change, one.Low, one.High, one.Change / one.Everything,
                    one.WithCalled, one.Agree, one.AdjustedP))],
            candidates.Count);
    }

    /// <summary>Whether so many rounds can show any of so many changes at all: the smallest p that there is, after Holm.</summary>
    public static bool CanName(int rounds, int candidates) => Math.Pow(2, 1 - rounds) * candidates <= FamilyError;

    private static IEnumerable<Candidate> Figures(IReadOnlyList<(LaunchProfile Reference, LaunchProfile Arm)> rounds)
    {
        foreach (var figure in Enum.GetValues<ProfileFigure>())
        {
            var pairs = Pairs(rounds, profile => profile.Figures.GetValueOrDefault(figure));
            if (pairs.Any(pair => pair.Reference > 0 || pair.Arm > 0)
                && Candidate.Of(pairs, pairs.Max(pair => Math.Max(pair.Reference, pair.Arm))) is { } candidate)
            {
                yield return candidate with { Figure = figure, Everything = Math.Max(candidate.Reference, candidate.Arm) };
            }
        }
    }

    private static IEnumerable<Candidate> Methods(ProfileKind kind, IReadOnlyList<(LaunchProfile Reference, LaunchProfile Arm)> rounds)
    {
        var costs = rounds
            .Select(round => (Reference: new MethodCosts(round.Reference.Of(kind)), Arm: new MethodCosts(round.Arm.Of(kind)))).ToList();
        var total = costs.Count == 0 ? 0
            : Math.Max(Median.Of(costs.Select(cost => cost.Reference.Total)), Median.Of(costs.Select(cost => cost.Arm.Total)));
        if (total <= 0)
        {
            yield break;
        }

        foreach (var method in costs.SelectMany(cost => cost.Reference.Methods.Concat(cost.Arm.Methods)).Distinct(StringComparer.Ordinal))
        {
            var pairs = Pairs(costs, cost => cost.Own(method));
            if (Math.Max(pairs.Average(pair => pair.Reference), pairs.Average(pair => pair.Arm)) >= LeastShare * total
                && Candidate.Of(pairs, total) is { } candidate)
            {
                yield return candidate with
                {
                    Kind = kind,
                    Method = method,
                    Everything = total,
                    WithCalled = Centre(Pairs(costs, cost => cost.All(method)), total),
                };
            }
        }
    }

    private static List<Pair> Pairs<T>(IEnumerable<(T Reference, T Arm)> rounds, Func<T, double> cost) =>
        [.. rounds.Select(round => new Pair(cost(round.Reference), cost(round.Arm)))];

    private static double Centre(IEnumerable<Pair> pairs, double scale) =>
        new WalshAverages([.. pairs.Select(pair => (pair.Arm - pair.Reference) / scale)]).Centre * scale;

    private sealed record Pair(double Reference, double Arm);

    /// <summary>A counter, or a method of a kind, and how it differs.</summary>
    private sealed record Candidate(double Reference, double Arm, double Change, double Low, double High, double Agree, double P)
    {
        public ProfileFigure? Figure { get; init; }
        public ProfileKind Kind { get; init; }
        public string Method { get; init; } = "";

        /// <summary>Of which a change is a share.</summary>
        public double Everything { get; init; }
        public double WithCalled { get; init; }
        public double AdjustedP { get; init; }

        /// <param name="unit">What differences are divided by, so that the test's resolution is far below them.</param>
        /// <returns>Null for fewer rounds than anything is said of.</returns>
        public static Candidate? Of(IReadOnlyList<Pair> pairs, double unit)
        {
            double[] differences = [.. pairs.Select(pair => (pair.Arm - pair.Reference) / unit)];
            var walsh = new WalshAverages(differences);
            return pairs.Count < LeastRounds || walsh.Interval(Coverage) is not { } interval ? null : new(
                Median.Of(pairs.Select(pair => pair.Reference)), Median.Of(pairs.Select(pair => pair.Arm)),
                walsh.Centre * unit, interval.Low * unit, interval.High * unit,
                differences.Count(difference => Math.Sign(difference) == Math.Sign(walsh.Centre)) / (double)differences.Length,
                SignedRank.Test(differences).TwoSided);
        }
    }
}

/// <summary>What differs beyond chance.</summary>
/// <param name="Candidates">Counters and methods that were looked at.</param>
public sealed record ProfileChanges(IReadOnlyList<FigureChange> Figures, IReadOnlyList<MethodChange> Methods, int Candidates);
