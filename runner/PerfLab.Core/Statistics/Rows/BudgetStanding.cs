using PerfLab.Core.Files;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>
/// A row beside the lab's history: where main stands since the anchor, and where it would stand with this row's change. Fractions, + is
/// worse.
/// </summary>
public sealed record BudgetStanding
{
    /// <summary>How much worse than the anchor main may become (`budget` in perf-lab.yaml).</summary>
    [AtLeast(0)]
    public required double Budget { get; init; }

    /// <summary>What main was measured against; null when its session does not say. Hostile text until rendered.</summary>
    public string? Anchor { get; init; }

    /// <summary>The newest session of the trend before this one: where main stands is from it.</summary>
    public required MainSession Newest { get; init; }

    /// <summary>Main against the anchor.</summary>
    [AtLeast(-1)]
    public required double Main { get; init; }

    /// <summary>Lower end of its interval.</summary>
    [AtLeast(-1)]
    public required double MainLow { get; init; }

    /// <summary>Upper end of it.</summary>
    [AtLeast(-1)]
    public required double MainHigh { get; init; }

    /// <summary>Main and this row's change together, against the anchor.</summary>
    [AtLeast(-1)]
    public required double Together { get; init; }

    /// <summary>Lower end of its interval.</summary>
    [AtLeast(-1)]
    public required double Low { get; init; }

    /// <summary>Upper end of it.</summary>
    [AtLeast(-1)]
    public required double High { get; init; }

    /// <summary>Whether this change overspends the budget: it makes the row worse for certain, and together they are beyond it for
    /// certain.</summary>
    public required bool Overspent { get; init; }
}

/// <summary>A session that measured main beside the anchor.</summary>
/// <param name="Session">Its id.</param>
/// <param name="Started">UTC.</param>
/// <param name="Commit">Null when the session does not say.</param>
public sealed record MainSession(string Session, DateTimeOffset Started, string? Commit);
