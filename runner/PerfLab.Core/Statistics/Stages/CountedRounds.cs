using PerfLab.Core.Model;

namespace PerfLab.Core.Statistics.Stages;

/// <summary>One round in which the reference arm and another arm were both measured.</summary>
public sealed record RoundPair(int Round, Launch Reference, Launch Arm);

/// <summary>
/// The rounds of one cell in one stage, each by its last attempt that is not void. A round counts for an arm when it and the reference
/// were measured in that attempt, so an arm that failed does not take the other arms' pairs with it.
/// </summary>
public sealed class CountedRounds
{
    /// <summary>A round is repeated whole at most three times (docs/internals/statistics-method.md); more would be measuring until it pleases.</summary>
    public const int LastAttempt = Launch.LastAttempt;

    private readonly SortedDictionary<int, Dictionary<string, Launch>> _byRound = [];
    private readonly List<IReadOnlyCollection<Launch>> _givenUp = [];

    public CountedRounds(IEnumerable<Launch> launches, IEnumerable<VoidedRound> voids)
    {
        var struck = voids.Select(voided => (voided.Round, voided.Attempt)).ToHashSet();
        launches = [.. launches];
        _givenUp.AddRange(launches.Where(launch => launch.Attempt == LastAttempt && struck.Contains((launch.Round, launch.Attempt)))
            .GroupBy(launch => launch.Round).Select(round => round.ToList()));
        var rounds = launches
            .Where(launch => launch.Attempt <= LastAttempt && !struck.Contains((launch.Round, launch.Attempt)))
            .GroupBy(launch => launch.Round);
        foreach (var round in rounds)
        {
            var last = round.Max(launch => launch.Attempt);
            _byRound[round.Key] = round.Where(launch => launch.Attempt == last).ToDictionary(launch => launch.Arm, StringComparer.Ordinal);
        }
    }

    /// <summary>The pairs of <paramref name="arm"/> with <paramref name="reference"/>, in the order of the rounds.</summary>
    public IReadOnlyList<RoundPair> Pairs(string reference, string arm) =>
    [
        .. from round in _byRound
           let first = Measured(round.Value, reference)
           let second = Measured(round.Value, arm)
           where first is not null && second is not null
           select new RoundPair(round.Key, first, second),
    ];

    /// <summary>The measured launches of one arm alone, in the order of the rounds.</summary>
    public IReadOnlyList<Launch> Alone(string arm) => [.. _byRound.Values.Select(round => Measured(round, arm)).OfType<Launch>()];

    /// <summary>
    /// Rounds in which both were measured, and struck because the machine was disturbed, up to the last repeat: the machine's fault, not the arms'.
    /// </summary>
    public int Disturbed(string reference, string arm) => _givenUp.Count(round =>
        new[] { reference, arm }.All(wanted => round.Any(launch => launch.Outcome == Outcome.Measured && launch.Arm == wanted)));

    private static Launch? Measured(Dictionary<string, Launch> round, string arm) =>
        round.TryGetValue(arm, out var launch) && launch.Outcome == Outcome.Measured ? launch : null;
}
