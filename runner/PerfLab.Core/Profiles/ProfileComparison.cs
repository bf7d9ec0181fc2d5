using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Profiles;

/// <summary>
/// What differs between the profiles of two arms beyond chance: the rounds are pairs, as in a comparison, so the same exact test holds,
/// with Holm over everything that was looked at. Two lucky samples make no culprit. Methods whose code differs are a family of their own,
/// chosen before anybody looked: among four a change shows that would drown among sixty.
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

    /// <summary>The same of a method whose code differs: that it costs otherwise is no surprise, only its size is.</summary>
    public const double LeastChangedShare = 0.001;

    /// <summary>
    /// What the methods whose code differs have of <see cref="FamilyError"/>; the rest has the others'. With a fifth, ten rounds can name
    /// one of five, twelve one of twenty; and of the rest twelve still name one of 81, where they named one of 102.
    /// </summary>
    public const double ChangedError = 0.2;

    /// <summary>Fewer rounds give no p that survives Holm over some twenty methods.</summary>
    public const int LeastRounds = 10;

    /// <summary>Traced rounds of a row. Two more than are needed: a launch may leave a trace that is cut.</summary>
    public const int Rounds = LeastRounds + 2;

    /// <summary>Rows that are explained without being named: each takes its 24 launches.</summary>
    public const int MostRows = 3;

    /// <summary>
    /// What changed: counters, the largest part first, and methods by kind, those whose code differs first, then the largest change.
    /// </summary>
    public static ProfileChanges Of(
        IReadOnlyList<(LaunchProfile Reference, LaunchProfile Arm)> rounds, ChangedMethods? changed = null)
    {
        List<Candidate> candidates =
        [
            .. Figures(rounds), .. Enum.GetValues<ProfileKind>().SelectMany(kind => Methods(kind, rounds, changed ?? ChangedMethods.None)),
        ];
        var own = candidates.Count(candidate => candidate.IsChanged);
        // More than so few rounds can tell apart are no family: they would take error from the rest, and name nobody.
        var isApart = own > 0 && CanName(rounds.Count, own, ChangedError);
        if (!isApart)
        {
            candidates.RemoveAll(candidate => candidate.Figure is null && candidate.Part < LeastShare);
        }

        List<Candidate> named = isApart
            ? [.. Named([.. candidates.Where(one => one.IsChanged)], ChangedError),
                .. Named([.. candidates.Where(one => !one.IsChanged)], 1 - ChangedError)]
            : Named(candidates, error: 1);
        return new(
            [.. named.Where(one => one.Figure is not null).OrderByDescending(one => Math.Abs(one.Change) / one.Everything)
                .Select(one => new FigureChange(one.Figure!.Value, one.Reference, one.Arm, one.Change, one.Low, one.High, one.AdjustedP))],
            [.. named.Where(one => one.Figure is null).OrderBy(one => one.Kind).ThenByDescending(one => one.IsChanged)
                .ThenByDescending(one => Math.Abs(one.Change)).ThenBy(one => one.Method, StringComparer.Ordinal)
                .Select(one => new MethodChange(
                    one.Kind, one.Method, one.Reference, one.Arm, one.Change, one.Low, one.High, one.Change / one.Everything,
                    one.WithCalled, one.Agree, one.AdjustedP)
                {
                    HasOtherCode = one.IsChanged,
                    OnlyMoved = MovedCost.OnlyMoved(one.Method, one.Kind, one.Change, rounds),
                })],
            [.. candidates.Where(one => one.IsChanged).Select(one => one.Method)
                .Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)],
            CanName(rounds.Count, candidates.Count - (isApart ? own : 0), isApart ? 1 - ChangedError : 1), candidates.Count);
    }

    /// <summary>Whether so many rounds can show any of so many changes at all: the smallest p that there is, after Holm.</summary>
    /// <param name="rounds">Rounds in which both arms left a whole profile.</param>
    /// <param name="candidates">Counters and methods of the family.</param>
    /// <param name="error">What the family has of <see cref="FamilyError"/>.</param>
    public static bool CanName(int rounds, int candidates, double error = 1) =>
        Math.Pow(2, 1 - rounds) * candidates <= FamilyError * error;

    /// <summary>Those of a family that changed beyond chance: a row names nobody who is innocent, in 95 of 100 where nothing changed.</summary>
    private static List<Candidate> Named(List<Candidate> family, double error)
    {
        var adjusted = Holm.Adjust([.. family.Select(candidate => candidate.P)]);
        return [.. family.Select((candidate, index) => candidate with { AdjustedP = Math.Min(1, adjusted[index] / error) })
            .Where(candidate => candidate.AdjustedP <= FamilyError && (candidate.Low > 0 || candidate.High < 0)
                && Math.Abs(candidate.Change) >= (candidate.IsChanged ? LeastChangedShare : LeastShare) * candidate.Everything)];
    }

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

    private static IEnumerable<Candidate> Methods(
        ProfileKind kind, IReadOnlyList<(LaunchProfile Reference, LaunchProfile Arm)> rounds, ChangedMethods changed)
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
            var isChanged = changed.Contains(method);
            var part = Math.Max(pairs.Average(pair => pair.Reference), pairs.Average(pair => pair.Arm)) / total;
            if (part >= (isChanged ? LeastChangedShare : LeastShare)
                && Candidate.Of(pairs, total) is { } candidate)
            {
                yield return candidate with
                {
                    Kind = kind,
                    Method = method,
                    IsChanged = isChanged,
                    Part = part,
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

        /// <summary>A method whose code differs.</summary>
        public bool IsChanged { get; init; }

        /// <summary>What it has of everything, in the arm in which it has more.</summary>
        public double Part { get; init; }

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
/// <param name="Figures">Counters.</param>
/// <param name="Methods">Methods.</param>
/// <param name="OtherCode">Methods whose code differs and that cost something, in order of their names.</param>
/// <param name="CanName">Whether so many rounds could name any of the rest.</param>
/// <param name="Candidates">Counters and methods that were looked at.</param>
public sealed record ProfileChanges(
    IReadOnlyList<FigureChange> Figures, IReadOnlyList<MethodChange> Methods, IReadOnlyList<string> OtherCode, bool CanName,
    int Candidates);
