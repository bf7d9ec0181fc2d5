using PerfLab.Machine.Hygiene;

namespace PerfLab.Machine.Watching;

/// <summary>What the two quiet watchers see while a block runs: pauses of the machine, and maintenance that its host announces.</summary>
internal sealed class BlockReadings(BlockWatchSetup setup)
{
    /// <summary>
    /// For announced maintenance to be over, in all of a session: Azure gives notice of about 15 minutes, and a pause itself takes seconds.
    /// A machine that waits is billed.
    /// </summary>
    public static readonly TimeSpan MostWait = TimeSpan.FromMinutes(20);

    private static readonly TimeSpan Look = TimeSpan.FromSeconds(5);
    private TimeSpan _waited;
    private bool _saidUnknown;

    /// <summary>Maintenance is announced: what is measured now will be struck.</summary>
    public bool IsLost => setup.Events?.Now is { Count: > 0 };

    /// <summary>Waits while maintenance is announced; gives null when none is (any more), otherwise that it did not end.</summary>
    public async Task<string?> WaitAsync(CancellationToken cancellationToken)
    {
        while (setup.Events?.Now is { Count: > 0 } events)
        {
            if (_waited >= MostWait)
            {
                return Invariant($"{SeenEvents.Problem(events)}; it was not over after {MostWait.TotalMinutes:0} minutes");
            }

            await Task.Delay(Look, setup.Time, cancellationToken);
            _waited += Look;
        }

        return null;
    }

    /// <summary>What was before does not count.</summary>
    public void Begin()
    {
        _ = setup.Pauses?.TakeLongest();
        _ = setup.Events?.TakeSeen();
    }

    public SeenMeanwhile End()
    {
        var isNews = setup.Events is { Now: null } && !_saidUnknown;
        _saidUnknown |= isNews;
        return new(setup.Pauses?.TakeLongest(), setup.Events?.TakeSeen() is { Count: > 0 } seen ? seen : setup.Events?.Now)
        {
            Asked = setup.Events is not null,
            Warnings = isNews ? ["announced maintenance is unknown: neither the watchdog nor the metadata service has answered"] : [],
        };
    }
}

/// <summary>What was seen from the begin of a block to its end.</summary>
/// <param name="Longest">Pause of the machine; null where nobody watched.</param>
/// <param name="Events">Announced maintenance; null where nobody could say.</param>
internal sealed record SeenMeanwhile(TimeSpan? Longest, IReadOnlyList<string>? Events)
{
    /// <summary>Somebody asked for announced maintenance.</summary>
    public required bool Asked { get; init; }

    /// <summary>What can't be seen here; once a session.</summary>
    public required IReadOnlyList<string> Warnings { get; init; }

    /// <summary>Why the block is worth nothing; empty when it stands.</summary>
    public IEnumerable<string> Problems =>
        new[] { Longest is { } longest ? Pause(longest) : null, Events is { } events ? SeenEvents.Problem(events) : null }.OfType<string>();

    /// <summary>Why a block with such a gap is worth nothing, or null.</summary>
    public static string? Pause(TimeSpan longest) => longest > TimeRows.LongestPause
        ? Invariant($"the machine stood still for {longest.TotalMilliseconds:0} ms (paused by its host, or starved)")
        : null;

    /// <summary>For the journal.</summary>
    public void AddTo(JsonObject facts)
    {
        if (Longest is { } longest)
        {
            facts["longestPauseSeconds"] = longest.TotalSeconds;
        }

        if (Asked)
        {
            facts["scheduledEvents"] = SeenEvents.Fact(Events);
        }
    }
}
