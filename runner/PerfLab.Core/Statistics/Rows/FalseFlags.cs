using System.ComponentModel.DataAnnotations;
using PerfLab.Core.Files;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Statistics.Rows;

/// <summary>What the lab said in A/A runs, where nothing had changed.</summary>
/// <param name="Flagged">Runs in which at least one cell was called regressed or improved.</param>
/// <param name="Runs">All A/A runs on record.</param>
/// <param name="Low">Lower end of the exact (Clopper-Pearson) 95 % interval of the rate, a fraction.</param>
/// <param name="High">Upper end of it.</param>
public sealed record FalseFlags(
    [AtLeast(0)] int Flagged, [AtLeast(0)] int Runs, [Range(0, 1)] double Low, [Range(0, 1)] double High) : IChecked
{
    private const double Coverage = 0.95;

    /// <summary>With the exact interval of the rate.</summary>
    public static FalseFlags Of(int flagged, int runs)
    {
        var interval = ClopperPearson.Interval(flagged, runs, Coverage);
        return new(flagged, runs, interval.Low, interval.High);
    }

    public IEnumerable<Problem> Problems() => Flagged > Runs ? [new("flagged", "is more than there are runs")] : [];
}
