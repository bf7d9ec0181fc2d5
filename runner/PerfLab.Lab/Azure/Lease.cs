using System.Security.Cryptography;

namespace PerfLab.Lab.Azure;

/// <summary>Which attempt of which workflow run holds a machine; by hand 0 and a number drawn for this lease alone.</summary>
public sealed record LeaseHolder(long RunId, int Attempt)
{
    /// <summary>Whoever is no workflow run: what a stop by hand may end. No lease is taken in this name.</summary>
    public static LeaseHolder ByHand { get; } = new(0, 0);

    /// <summary>As many digits as infra/src/live-lease.ts reads.</summary>
    private const int EndOfNumbers = 1_000_000_000;

    /// <summary>Of two people who start in the same second, neither may take the other's lease for his own.</summary>
    public LeaseHolder ToStart() => this == ByHand ? new(0, RandomNumberGenerator.GetInt32(1, EndOfNumbers)) : this;

    public bool MayEnd(LeaseHolder other) => this == other || (this == ByHand && other.RunId == ByHand.RunId);

    public override string ToString() => Invariant($"{RunId}/{Attempt}");
}

/// <summary>
/// A promise to be done by <see cref="Expiry"/>, kept as a tag of the machine where watchdog and reaper can read it. It isn't a lock:
/// tags have no compare-and-swap, mutual exclusion comes from the workflow's concurrency group.
/// </summary>
public sealed record Lease(LeaseHolder Holder, DateTimeOffset Expiry)
{
    /// <summary>
    /// A GitHub token lives 24 h and `measure` is capped at 6 h: a longer lease is a mistake or a forgery, and isn't believed.
    /// </summary>
    public static readonly TimeSpan Longest = TimeSpan.FromHours(7);

    private const string TimeFormat = "yyyy-MM-dd'T'HH:mm:ss'Z'";

    public bool IsLiveAt(DateTimeOffset now) => now < Expiry && Expiry - now <= Longest;

    public override string ToString() => $"{Holder}/{TimeText(Expiry)}";

    /// <summary>"runId/attempt/expiry in UTC", or null for anything else: an unreadable lease protects nobody.</summary>
    public static Lease? Parse(string? text)
    {
        var parts = text?.Split('/');
        return parts is [var run, var attempt, var expiry]
            && long.TryParse(run, NumberStyles.None, CultureInfo.InvariantCulture, out var runId)
            && int.TryParse(attempt, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            && ParseTime(expiry) is { } time
            ? new Lease(new LeaseHolder(runId, number), time)
            : null;
    }

    public static string TimeText(DateTimeOffset time) => time.ToUniversalTime().ToString(TimeFormat, CultureInfo.InvariantCulture);

    internal static DateTimeOffset? ParseTime(string? text) =>
        DateTimeOffset.TryParseExact(text, TimeFormat, CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out var time) ? time : null;
}
