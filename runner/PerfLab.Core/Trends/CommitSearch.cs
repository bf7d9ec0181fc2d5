using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Core.Trends;

/// <summary>The change that is searched for: what lies between good and bad.</summary>
/// <param name="Size">Centre of the paired log ratios of bad and good.</param>
/// <param name="Noise">Their spread, log units.</param>
public sealed record SoughtChange(double Size, double Noise)
{
    /// <summary>Programs that measure themselves to the last digit still need a spread to be told apart by.</summary>
    private const double LeastNoise = 1e-4;

    /// <summary>How much one round should tell, in natural units of evidence, before somebody decides where to look next.</summary>
    private const double Wanted = 3;
    private const int FewestRounds = 3, MostRounds = 20;

    /// <summary>Rounds of one probe.</summary>
    public int RoundsOfAProbe => Math.Clamp((int)Math.Ceiling(Wanted * 2 * Spread * Spread / (Size * Size)), FewestRounds, MostRounds);

    internal double Spread => Math.Max(Noise, LeastNoise);
}

/// <summary>What is known of one commit.</summary>
public sealed record CommitEvidence
{
    /// <summary>Paired log ratios of the commit and good, of all its probes.</summary>
    public IReadOnlyList<double> Differences { get; init; } = [];

    /// <summary>It can't be built, or not be launched, so that nothing can be asked of it.</summary>
    public bool IsUntestable { get; init; }

    /// <summary>
    /// What it builds, in any words that tell builds apart: between two commits that build the same nothing changed. Null where it is
    /// not known.
    /// </summary>
    public string? Build { get; init; }
}

/// <summary>Two commits measured side by side, to see whether the change lies between them.</summary>
/// <param name="Good">Index of the earlier one.</param>
/// <param name="Bad">Index of the later one.</param>
/// <param name="Differences">Paired log ratios of the later and the earlier one.</param>
public sealed record StepEvidence(int Good, int Bad, IReadOnlyList<double> Differences);

/// <summary>
/// Which commit of a line made the change: a noisy binary search. All commits before the culprit are as good, all from it on as bad; every
/// probe moves the probability of each commit, so that no single bad round decides.
/// Compare Karp and Kleinberg, "Noisy binary search and its
/// applications", SODA 2007. Pure: the same evidence gives the same answer.
/// </summary>
public sealed class CommitSearch
{
    /// <summary>Probability at which a commit is called the culprit.</summary>
    public const double Sure = 0.95;

    /// <summary>How often two neighbours are measured side by side; a change that is not proven then has no name.</summary>
    public const int MostConfirmations = 2;

    /// <summary>
    /// How much of the sought change two neighbours must show when they are measured side by side: builds differ a little for no reason, as
    /// where their code lies in memory, and twenty rounds prove that, too.
    /// </summary>
    public const double LeastShareOfStep = 0.5;

    /// <summary>Rounds of one commit from which on it may be called neither good nor bad.</summary>
    public const int RoundsToLieBetween = StageRule.LeastConfirmRounds;

    /// <summary>Evidence of bits that are the same, and the most that the rounds of one commit may weigh.</summary>
    private const double Certain = 50;

    /// <summary>Coverage of the intervals that must not meet where a commit lies between good and bad.</summary>
    private const double SureOfLevel = 0.999;

    /// <summary>Degrees of freedom of the likelihood: few, so that an outlier weighs little.</summary>
    private const double Degrees = 4;

    private readonly IReadOnlyList<CommitEvidence> _commits;
    private readonly double[] _atOrBefore;

    /// <param name="change">Between the two ends.</param>
    /// <param name="commits">In order: the first is good, the last is bad.</param>
    /// <param name="steps">Commits that were measured beside one before them: they speak for and against culprits between the two.</param>
    public CommitSearch(SoughtChange change, IReadOnlyList<CommitEvidence> commits, IReadOnlyList<StepEvidence>? steps = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(commits.Count, 2, nameof(commits));
        _commits = commits;
        var evidence = new double[commits.Count];
        for (var culprit = commits.Count - 2; culprit >= 1; culprit--)
        {
            evidence[culprit] = evidence[culprit + 1] + Weight(commits[culprit].Differences, change);
        }

        var measured = (steps ?? []).Select(step => (step.Good, step.Bad, Weight: Weight(step.Differences, change)));
        foreach (var (good, bad, weight) in measured.Concat(Same(commits)))
        {
            for (var culprit = good + 1; culprit <= Math.Min(bad, commits.Count - 1); culprit++)
            {
                evidence[culprit] += weight;
            }
        }

        var most = evidence.Skip(1).Max();
        double[] weights = [0, .. evidence.Skip(1).Select(value => Math.Exp(value - most))];
        var sum = weights.Sum();
        Probabilities = [.. weights.Select(weight => weight / sum)];
        _atOrBefore = new double[commits.Count];
        for (var commit = 1; commit < commits.Count; commit++)
        {
            _atOrBefore[commit] = _atOrBefore[commit - 1] + Probabilities[commit];
        }
    }

    /// <summary>Of each commit to be the culprit; 0 for good.</summary>
    public IReadOnlyList<double> Probabilities { get; }

    /// <summary>
    /// The last commit that is still good and the first that is bad, where that is sure:
    /// neighbours, or with commits between them that can't
    /// be tested. Null while it is not.
    /// </summary>
    public (int Good, int Bad)? Found
    {
        get
        {
            var (good, bad) = Likeliest;
            return _atOrBefore[bad] - _atOrBefore[good] >= Sure ? (good, bad) : null;
        }
    }

    /// <summary>The likeliest such pair, sure or not.</summary>
    public (int Good, int Bad) Likeliest
    {
        get
        {
            var (best, good) = ((0, _commits.Count - 1), 0);
            var most = -1.0;
            for (var bad = 1; bad < _commits.Count; bad++)
            {
                if (bad < _commits.Count - 1 && _commits[bad].IsUntestable)
                {
                    continue;
                }

                if (_atOrBefore[bad] - _atOrBefore[good] > most)
                {
                    (best, most) = ((good, bad), _atOrBefore[bad] - _atOrBefore[good]);
                }

                good = bad;
            }

            return best;
        }
    }

    /// <summary>The commit whose probe tells most for its cost; null when none can tell anything.</summary>
    /// <param name="seconds">What a probe of the commit takes: one that is built costs less.</param>
    public int? Next(Func<int, double> seconds)
    {
        var untestable = Enumerable.Range(1, _commits.Count - 2).Where(commit => _commits[commit].IsUntestable).ToList();
        return Enumerable.Range(1, _commits.Count - 2)
            .Where(commit => !_commits[commit].IsUntestable && !IsOfAnEnd(commit))
            .Select(commit => (Commit: (int?)commit,
                Worth: Doubt(_atOrBefore[commit]) * ChanceToBuild(commit, untestable) / seconds(commit)))
            .Where(one => one.Worth > 1e-9).OrderByDescending(one => one.Worth).ThenBy(one => one.Commit).FirstOrDefault().Commit;
    }

    /// <summary>
    /// Index of a commit that is surely neither as good nor as bad: more than one commit made the change. Null where there is none.
    /// </summary>
    /// <param name="whole">Paired log ratios of bad and good: how bad bad is, is measured, too, and may be off.</param>
    /// <param name="commits">In order: the first is good, the last is bad.</param>
    /// <param name="margin">The smallest change that matters, log units.</param>
    public static int? Between(IReadOnlyList<double> whole, IReadOnlyList<CommitEvidence> commits, double margin)
    {
        if (Level(whole) is not { } bad)
        {
            return null;
        }

        var sign = Math.Sign(bad.Low + bad.High);
        var least = Math.Min(bad.Low * sign, bad.High * sign);
        for (var commit = 1; commit < commits.Count - 1; commit++)
        {
            if (commits[commit].Differences.Count >= RoundsToLieBetween && Level(commits[commit].Differences) is { } own
                && Math.Min(own.Low * sign, own.High * sign) > margin
                && Math.Max(own.Low * sign, own.High * sign) < least - margin)
            {
                return commit;
            }
        }

        return null;
    }

    private static SignedRankInterval? Level(IReadOnlyList<double> differences) =>
        new WalshAverages([.. differences]).Interval(SureOfLevel);

    /// <summary>Whether its bits are those of good or bad, so that there is nothing to measure.</summary>
    private bool IsOfAnEnd(int commit) =>
        _commits[commit].Build is { } build && (build == _commits[0].Build || build == _commits[^1].Build);

    /// <summary>Two commits of the same bits, with none of them between: surely no change from the one to the other.</summary>
    private static IEnumerable<(int Good, int Bad, double Weight)> Same(IReadOnlyList<CommitEvidence> commits) =>
        Enumerable.Range(0, commits.Count).Where(commit => commits[commit].Build is not null)
            .GroupBy(commit => commits[commit].Build, StringComparer.Ordinal)
            .SelectMany(same => same.Zip(same.Skip(1), (good, bad) => (good, bad, -Certain)));

    /// <summary>Log of how much likelier the rounds are when the change lies between their two commits than when it does not.</summary>
    private static double Weight(IReadOnlyList<double> differences, SoughtChange change)
    {
        var sum = differences.Sum(difference => Surprise(difference, change) - Surprise(difference - change.Size, change));
        return Math.Clamp(sum, -Certain, Certain);
    }

    /// <summary>Minus the log of Student's density, up to a constant.</summary>
    private static double Surprise(double distance, SoughtChange change) =>
        (Degrees + 1) / 2 * Math.Log(1 + (distance * distance / (Degrees * change.Spread * change.Spread)));

    /// <summary>Entropy of a coin.</summary>
    private static double Doubt(double probability) => probability is <= 0 or >= 1 ? 0
        : -(probability * Math.Log(probability)) - ((1 - probability) * Math.Log(1 - probability));

    /// <summary>Commits beside one that does not build often do not build either.</summary>
    private static double ChanceToBuild(int commit, List<int> untestable) =>
        untestable.Aggregate(1.0, (chance, other) => Math.Abs(commit - other) is var apart ? chance * apart / (1.0 + apart) : chance);
}
