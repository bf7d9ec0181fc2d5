using System.Runtime.InteropServices;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Statistics.Stages;

/// <summary>Where a pair of a session with minutes stands.</summary>
/// <param name="Policy">Of the session.</param>
/// <param name="Members">Pairs in its family.</param>
/// <param name="Direction">In which it is tested: +1, -1, or 0 for both.</param>
/// <param name="IsPlannedOver">Exactly its planned rounds are over: only then it may end for having shown a change.</param>
/// <param name="Reach">Confirm rounds that it can come to in the minutes that are left, if it gets all that nobody else needs.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct Standing(Policy Policy, int Members, int Direction, bool IsPlannedOver, int Reach);

/// <summary>
/// When a pair ends before its planned rounds are over, and how many fresh rounds it asks for after them (docs/statistics.md, "Until it is
/// decided"). A pair that ends for showing nothing stays in the family with p = 1, which can only lower false flags.
/// </summary>
public static class GoingOnRule
{
    /// <summary>The interval that must lie inside the margin for a pair to end as unchanged.</summary>
    public const double NothingCoverage = 0.99;

    /// <summary>The interval whose far end must be too small to be found for a pair to end as futile.</summary>
    public const double FutileCoverage = 0.95;

    /// <summary>Fresh rounds between two looks at a pair that went on.</summary>
    public const int Between = 10;

    /// <summary>Fewer fresh rounds are not worth their part of the error.</summary>
    public const int LeastFresh = 8;

    /// <summary>How likely the rounds that are asked for find a change as large as the one seen: 80 %, as a normal score.</summary>
    private const double PowerScore = 0.84;

    /// <summary>Of the signed-rank test beside one that knows that the noise is normal.</summary>
    private const double Efficiency = 0.95;

    /// <summary>
    /// Of an interval by itself, so that it covers what the policy says wherever the pair ended: after its planned rounds or after fresh
    /// ones, which are two places to miss.
    /// </summary>
    public static double Coverage(Policy policy) => 1 - ((1 - policy.Interval) / 2);

    /// <summary>Confirm rounds after which a pair may end for nothing, before the planned ones are over.</summary>
    public static IReadOnlyList<int> Looks { get; } = [8, 13];

    /// <summary>Why the pair ends now, or null. Never because it showed a change, unless exactly the planned rounds are over.</summary>
    /// <param name="differences">Log ratios of all its confirm rounds so far.</param>
    public static EndReason? After(ReadOnlySpan<double> differences, in Standing standing)
    {
        if (differences.Length < Looks[0] || Noise.Of(differences) is not { } noise)
        {
            return null;
        }

        var (walsh, margin) = (new WalshAverages(differences), PracticalMargin.Of(standing.Policy));
        if (standing.IsPlannedOver && IsDecided(differences, walsh.Centre, standing))
        {
            return EndReason.Decided;
        }

        return walsh.Interval(NothingCoverage) is { } narrow && margin.Contains(narrow) ? EndReason.Unchanged
            : IsFutile(walsh.Interval(FutileCoverage), noise, standing) ? EndReason.Futile : null;
    }

    /// <summary>
    /// Fresh rounds after the planned ones: as many as their noise asks for, either to find a change as large as theirs or, where theirs is
    /// below the margin, to show that it is; at least <see cref="LeastFresh"/>.
    /// </summary>
    /// <param name="planned">Log ratios of the planned rounds, and of no others.</param>
    public static int Asked(ReadOnlySpan<double> planned, in Standing standing)
    {
        var (centre, noise) = (new WalshAverages(planned).Centre, Noise.Of(planned) ?? 0);
        var (direction, margin) = (Math.Sign(centre), PracticalMargin.Of(standing.Policy).Log);
        var isTested = direction != 0 && (standing.Direction == 0 || standing.Direction == direction);
        var error = standing.Policy.FamilyError / standing.Members / (standing.Direction == 0 ? 2 : 1);
        var rounds = isTested && Math.Abs(centre) >= margin
            ? Square((Math.Max(0, StagedTest.Needed(StagedTest.Score(planned, direction), error)) + PowerScore) * noise / Math.Abs(centre))
                / Efficiency
            : Square(NormalDistribution.UpperQuantile((1 - Coverage(standing.Policy)) / 2) * noise / (margin - Math.Abs(centre)))
                - planned.Length;
        return double.IsFinite(rounds) && rounds < int.MaxValue ? Math.Max(LeastFresh, (int)Math.Ceiling(rounds)) : int.MaxValue;
    }

    /// <summary>
    /// Fresh rounds of each pair: those that ask for the least time come first, so that most rows get an answer. Whoever asks for more
    /// than is left gets what is left, and ends when even that shows nothing any more. 0: it does not go on.
    /// </summary>
    /// <param name="asked">Fresh rounds that a pair asks for, and the seconds of one.</param>
    /// <param name="secondsLeft">For all of them.</param>
    public static IReadOnlyList<int> Share(IReadOnlyList<(int Rounds, double Seconds)> asked, double secondsLeft)
    {
        var given = new int[asked.Count];
        foreach (var pair in Enumerable.Range(0, asked.Count).OrderBy(index => asked[index].Rounds * asked[index].Seconds))
        {
            var (rounds, seconds) = asked[pair];
            var most = seconds > 0 ? (int)Math.Min(rounds, Math.Max(0, secondsLeft / seconds)) : rounds;
            if (most >= LeastFresh)
            {
                given[pair] = most;
                secondsLeft -= most * seconds;
            }
        }

        return given;
    }

    /// <summary>It would be called whatever the others of its family do.</summary>
    private static bool IsDecided(ReadOnlySpan<double> planned, double centre, in Standing standing)
    {
        var direction = standing.Direction != 0 ? standing.Direction : Math.Sign(centre);
        return standing.Members * StagedTest.PValue(planned, [], standing.Direction) <= standing.Policy.FamilyError
            && direction != 0 && PracticalMargin.Of(standing.Policy).IsReachedBy(centre, direction);
    }

    /// <summary>
    /// Even the largest change that its rounds leave open would not be found in those that it can come to, nor would they show that there
    /// is none.
    /// </summary>
    private static bool IsFutile(SignedRankInterval? interval, double noise, in Standing standing)
    {
        var policy = standing.Policy with { ConfirmRounds = Math.Max(1, standing.Reach) };
        // One direction costs as much as both in a family of half as many.
        var pairs = standing.Direction == 0 ? standing.Members : (standing.Members + 1) / 2;
        if (interval is not { } open || SmallestDetectable.Change(noise, pairs, screened: false, policy) is not { } detectable)
        {
            return false;
        }

        var far = standing.Direction switch { > 0 => open.High, < 0 => -open.Low, _ => Math.Max(open.High, -open.Low) };
        var half = NormalDistribution.UpperQuantile((1 - Coverage(policy)) / 2) * noise / Math.Sqrt(policy.ConfirmRounds);
        return Math.Log(1 + detectable) > far && half > PracticalMargin.Of(policy).Log;
    }

    private static double Square(double value) => value * value;
}
