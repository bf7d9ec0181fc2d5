namespace PerfLab.Calibration;

/// <summary>How much to simulate: full for results/figures.md, short for the ordinary test run.</summary>
/// <param name="Comparisons">Simulated comparisons a row of G1 and G3.</param>
/// <param name="PowerComparisons">Simulated comparisons a row of G2, each with five slower cells.</param>
/// <param name="Cells">Simulated cells a row of G4 and G5; a fifth of it are the launches a row of S1 and S2, and the rows of S3 and S4.</param>
public sealed record Size(string Name, int Comparisons, int PowerComparisons, int Cells)
{
    public static readonly Size Full = new("full", 20_000, 2_000, 100_000);
    public static readonly Size Short = new("short", 400, 40, 3_000);
}

/// <summary>What every figure is simulated with.</summary>
public sealed record Run(Size Size, ulong Seed, Action<string, double>? Progress = null)
{
    /// <summary>A repeated run named <paramref name="name"/>.</summary>
    public RepeatedRun Repeat(string name, int repetitions, int tallies) =>
        new(name, Seed, repetitions, tallies, Progress is { } report ? share => report(name, share) : null);
}

/// <summary>One line of the table: what was aimed at and what came out.</summary>
/// <param name="Name">G1 to G15, S1 to S4.</param>
/// <param name="Case">What was simulated.</param>
/// <param name="Aim">The figure as promised, in words.</param>
/// <param name="Measured">In percent, or rounds.</param>
/// <param name="Bound">The end of the exact 95 % interval on the side of the aim, where there is one.</param>
/// <param name="Passed">Whether the aim was met.</param>
/// <param name="KnownMiss">results/figures.md tells of this miss and why.</param>
public sealed record FigureRow(string Name, string Case, string Aim, double Measured, double? Bound, bool Passed, bool KnownMiss = false)
{
    /// <summary>Some figures are counts of rounds, points or issues, or seconds.</summary>
    public bool IsPercent => Name is not ("G3" or "G7" or "G11" or "G15")
        && !(Aim is "<= 1" || new[] { "launches", "median", "mean rounds" }.Any(count => Case.Contains(count, StringComparison.Ordinal)));
}
