using System.Runtime.InteropServices;
using PerfLab.Core.Model;

namespace PerfLab.Calibration;

/// <summary>A comparison to simulate: many cells, of which the first few are truly slower.</summary>
public sealed record Scenario
{
    public required NoiseShape Shape { get; init; }

    /// <summary>Half of each round's variance comes from the host and hits every cell on it alike.</summary>
    public bool HalfShared { get; init; }

    /// <summary>The machines that the cells take turns on, each with a factor on its noise.</summary>
    public IReadOnlyList<double> Machines { get; init; } = [1];

    /// <summary>
    /// How much slower each machine becomes from one launch of a round to the next; log units. Which arm comes first is drawn anew for
    /// every round. Empty: none drifts.
    /// </summary>
    public IReadOnlyList<double> Drifts { get; init; } = [];
    public int Cells { get; init; } = 200;
    public int Slower { get; init; }

    /// <summary>The true change of the slower cells, a fraction.</summary>
    public double Change { get; init; }

    /// <summary>Factor on the shape's differences; it does not matter where there is no margin.</summary>
    public double Scale { get; init; } = 1;

    /// <summary>Standard deviation of what hits all rounds of a cell in one session, and another way in the next; log units.</summary>
    public double SessionEffect { get; init; }
    public Policy Policy { get; init; } = new();

    /// <summary>The same scenario at a noise that the report would print, a fraction.</summary>
    public Scenario AtPrintedNoise(double noise) => this with { Scale = noise / Shape.PrintedNoise() };
}

/// <summary>What one simulated comparison said.</summary>
/// <param name="Kept">Pairs that went to the confirm stage.</param>
/// <param name="Found">Truly slower cells called regressed.</param>
/// <param name="FalseFlags">Any other cell called regressed or improved, and slower ones called improved.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct SimulatedComparison(int Kept, int Found, int FalseFlags);
