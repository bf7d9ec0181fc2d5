using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Holding;

/// <summary>Paired log ratios as the product reads them; + is slower.</summary>
internal sealed record Differences(double[] Logs)
{
    public double Centre => new WalshAverages(Logs).Centre;

    public double Noise => PerfLab.Core.Statistics.Exact.Noise.Of(Logs) ?? double.NaN;

    public double P => SignedRank.Test(Logs).TwoSided;

    public string Change => new WalshAverages(Logs) is var walsh && walsh.Interval(0.95) is { } interval
        ? $"{Percent(walsh.Centre)} [{Percent(interval.Low)}, {Percent(interval.High)}]" : "too few rounds";

    /// <summary>The interval as factors.</summary>
    public string Ratio => new WalshAverages(Logs).Interval(0.95) is { } interval
        ? FormattableString.Invariant($"[{Math.Exp(interval.Low):0.000}, {Math.Exp(interval.High):0.000}]") : "too few rounds";

    public static string Percent(double log) => FormattableString.Invariant($"{(Math.Exp(log) - 1) * 100:+0.0;-0.0;0.0}");
}
