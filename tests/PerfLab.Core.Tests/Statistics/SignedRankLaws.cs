using FsCheck;
using FsCheck.Fluent;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Tests.Statistics;

/// <summary>What must hold for any differences: small whole numbers of thousandths, so that ties and zeros come often.</summary>
public sealed class SignedRankLaws
{
    private static readonly Arbitrary<int[]> Thousandths = Gen.Choose(-30, 30)
        .ArrayOf().Where(values => values.Length is > 0 and < 80).ToArbitrary();

    [Fact]
    public void turning_all_signs_swaps_the_two_sides() => Holds(differences =>
    {
        var (test, turned) = (SignedRank.Test(differences), SignedRank.Test([.. differences.Select(difference => -difference)]));
        return turned == new SignedRankTest(-test.RankSum, test.Below, test.Above);
    });

    [Fact]
    public void the_unit_of_the_differences_does_not_change_p() =>
        Holds(differences => SignedRank.Test([.. differences.Select(difference => 64 * difference)]) == SignedRank.Test(differences));

    [Fact]
    public void p_is_a_probability_and_the_two_sides_overlap() => Holds(differences =>
    {
        var test = SignedRank.Test(differences);
        return test.Above is >= 0 and <= 1 && test.Below is >= 0 and <= 1 && test.Above + test.Below >= 1 - 1e-9 && test.TwoSided <= 1;
    });

    [Fact]
    public void a_shift_moves_centre_and_interval_with_it() => Holds(differences =>
    {
        var (walsh, shifted) = (new WalshAverages(differences), new WalshAverages([.. differences.Select(difference => difference + 0.5)]));
        return Same(shifted.Centre, walsh.Centre + 0.5)
            && (walsh.Interval(0.95), shifted.Interval(0.95)) switch
            {
                ({ } from, { } to) => Same(to.Low, from.Low + 0.5) && Same(to.High, from.High + 0.5),
                (null, null) => differences.Length < 6,
                _ => false,
            };
    });

    [Fact]
    public void the_centre_lies_inside_the_interval_and_more_coverage_is_never_narrower() => Holds(differences =>
    {
        var walsh = new WalshAverages(differences);
        return walsh.Interval(0.95) is not { } narrow
            || (narrow.Low <= walsh.Centre && walsh.Centre <= narrow.High && narrow.Coverage >= 0.95
                && (walsh.Interval(0.99) is not { } wide || (wide.Low <= narrow.Low && narrow.High <= wide.High)));
    });

    [Fact]
    public void noise_does_not_depend_on_the_centre_and_scales_with_the_unit() => Holds(differences =>
        Noise.Of(differences) is not { } noise
        || (Same(Noise.Of([.. differences.Select(difference => difference + 0.5)])!.Value, noise)
            && Same(Noise.Of([.. differences.Select(difference => 2 * difference)])!.Value, 2 * noise)));

    [Fact]
    public void holm_never_lowers_a_p_and_keeps_their_order() => Prop
        .ForAll(Gen.Choose(0, 1000).ArrayOf().ToArbitrary(), thousandths =>
        {
            var p = thousandths.Select(value => value / 1000.0).ToArray();
            var adjusted = Holm.Adjust(p);
            return p.Zip(adjusted).All(pair => pair.Second >= pair.First && pair.Second <= 1)
                && p.Zip(adjusted).OrderBy(pair => pair.First).Select(pair => pair.Second).SequenceEqual(adjusted.Order());
        })
        .QuickCheckThrowOnFailure();

    private static void Holds(Func<double[], bool> law) =>
        Prop.ForAll(Thousandths, values => law([.. values.Select(value => value / 1000.0)])).QuickCheckThrowOnFailure();

    private static bool Same(double one, double other) => Math.Abs(one - other) < 1e-9;
}
