using PerfLab.Reports.Curves;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Reports.Svg;

/// <summary>What the picture of a row shows: the values of its launches, and the paired differences with interval and margin.</summary>
public sealed record RowPicture
{
    /// <summary>"rounds-c001-head": [a-z0-9-], one of its own in a report.</summary>
    public required string Name { get; init; }
    public required ReportRow Row { get; init; }

    /// <summary>"base" and "head"; among several arms "reference" and "arm".</summary>
    public required (string Reference, string Arm) Sides { get; init; }

    /// <summary>"pgo=off", or the arm's id; null in a session of one arm. Untrusted.</summary>
    public required string? Reference { get; init; }

    /// <summary>"pgo=on", or the arm's id. Untrusted.</summary>
    public required string Arm { get; init; }

    /// <summary>The smallest change that matters, in log units: the row's own margin, else the policy's.</summary>
    public required double Margin { get; init; }

    /// <summary>"95 %": least coverage of the interval.</summary>
    public required string Coverage { get; init; }

    /// <summary>The values of the reference, in the unit of the metric; empty in a session of one arm.</summary>
    public IReadOnlyList<double> ReferenceValues => [.. Row.Measured.Select(round => round.Reference)];

    public IReadOnlyList<double> ArmValues => Row.Measured.Count > 0 ? [.. Row.Measured.Select(round => round.Arm)] : Row.Alone;

    /// <summary>Centre of the differences in log units; null without a change.</summary>
    public double? Centre => Log(Row.Figures.Change);

    /// <summary>The interval in log units; null where there is none.</summary>
    public (double Low, double High)? Interval =>
        Log(Row.Figures.Low) is { } low && Log(Row.Figures.High) is { } high ? (low, high) : null;

    /// <summary>One for each row whose launches are at hand, in the order of the report.</summary>
    public static IReadOnlyList<RowPicture> Of(Report report)
    {
        var taken = new HashSet<string>(StringComparer.Ordinal);
        var policy = report.Comparison.Policy;
        return [.. report.Rows.Where(row => row.Measured.Count + row.Alone.Count > 0).Select(row => new RowPicture
        {
            Name = Free(taken, row),
            Row = row,
            Reference = row.Figures.Reference is null ? null : report.HasSeveralArms ? row.Figures.Reference : report.Base
                ?? row.Figures.Reference,
            Arm = report.HasSeveralArms ? row.Figures.Arm : report.Head ?? row.Figures.Arm,
            Sides = report.HasSeveralArms ? ("reference", "arm") : ("base", "head"),
            Margin = PracticalMargin.Of(row.Figures.Margin is { } own ? policy with { Margin = own } : policy).Log,
            Coverage = report.Coverage,
        })];
    }

    private static string Free(HashSet<string> taken, ReportRow row)
    {
        var name = PictureName.Of("rounds", row.Figures.Cell, row.Figures.Arm);
        for (var number = 2; !taken.Add(name); number++)
        {
            name = PictureName.Of("rounds", row.Figures.Cell, row.Figures.Arm, number.ToString(CultureInfo.InvariantCulture));
        }

        return name;
    }

    private static double? Log(double? change) => change is > -1 and { } known && double.IsFinite(known) ? Math.Log(1 + known) : null;
}
