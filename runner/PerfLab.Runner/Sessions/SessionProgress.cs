namespace PerfLab.Runner.Sessions;

/// <summary>Where a session stands; sent after every launch.</summary>
/// <param name="Doing">"screen round 3 of 8, channel-actors (c001)".</param>
/// <param name="Launched">Launches done in this run of the program.</param>
/// <param name="Expected">Launches that are still to come, as far as known now.</param>
/// <param name="SecondsLeft">From the mean wall time so far; null before the first launch.</param>
/// <param name="Note">Something a person wants to know at once (a failed launch, a void round), or null.</param>
public sealed record SessionProgress(string Doing, int Launched, int Expected, double? SecondsLeft, string? Note = null)
{
    /// <summary>Spread of the paired differences of the cell so far, a fraction; null with fewer than three rounds, and in a session of
    /// one arm.</summary>
    public double? Noise { get; init; }

    /// <summary>The time left is what the minutes hold: it may well take less.</summary>
    public bool IsAtMost { get; init; }
}
