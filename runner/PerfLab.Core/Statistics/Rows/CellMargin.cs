namespace PerfLab.Core.Statistics.Rows;

/// <summary>
/// How far a cell's A/A runs came apart on this machine: nothing smaller can be told from chance there, so no smaller change is called.
/// </summary>
/// <param name="Fraction">Like the policy's margin.</param>
/// <param name="Runs">A/A runs that it comes from.</param>
public sealed record CellMargin(double Fraction, int Runs)
{
    /// <summary>Fewer A/A runs of a cell say nothing about it.</summary>
    public const int LeastRuns = 20;

    /// <summary>Share of a cell's A/A effects that lie within its margin; below 100 runs that is the largest of them.</summary>
    public const double Share = 0.99;

    /// <param name="effects">ln(1 + change) of every A/A run of the cell.</param>
    /// <returns>Null with fewer than <see cref="LeastRuns"/>.</returns>
    public static CellMargin? Of(IReadOnlyCollection<double> effects)
    {
        if (effects.Count < LeastRuns)
        {
            return null;
        }

        double[] sizes = [.. effects.Select(Math.Abs).Order()];
        return new(Math.Exp(sizes[(int)Math.Ceiling(Share * sizes.Length) - 1]) - 1, sizes.Length);
    }
}
