namespace PerfLab.Core.Statistics.Looks;

/// <summary>
/// P(any look's z is at least z) when nothing changed, in one direction, for z = 0.5, 0.55, 0.6, …: rounded up, and as far as the simulation
/// saw it 400 times. Printed by <c>PerfLab.Calibration --looks</c>.
/// </summary>
public static class LookTables
{
    public const ulong Seed = 20260101;
    public const int Paths = 4_000_000;

    private const double First = 0.5;
    private const double StepSize = 0.05;

    /// <summary>The z of the table's place <paramref name="step"/>.</summary>
    public static double At(int step) => First + (step * StepSize);

    /// <summary>Of the largest place that is not above <paramref name="z"/>, so never too small; 1 where the table ends.</summary>
    public static double Chance(IReadOnlyList<double> tail, double z)
    {
        // A z that is a place of the table is not rounded down to the one before.
        var step = (int)Math.Floor(((z - First) / StepSize) + 1e-9);
        return step >= 0 && step < tail.Count ? tail[step] : 1;
    }

    /// <summary>Rounds of the looks, and the chances.</summary>
    public static IReadOnlyList<(int[] Rounds, double[] Tail)> All { get; } =
    [
        ([8, 12, 16, 20],
        [
            0.4958, 0.4814, 0.4496, 0.4346, 0.4265, 0.3894, 0.3748, 0.35, 0.3314, 0.3179, 0.2942, 0.2768,
            0.2645, 0.2423, 0.2266, 0.2206, 0.1954, 0.1815, 0.1761, 0.1535, 0.1417, 0.1287, 0.1199, 0.1098,
            0.09665, 0.08942, 0.08397, 0.07068, 0.06485, 0.06044, 0.05068, 0.04623, 0.04295, 0.03408, 0.03072, 0.02566,
            0.02279, 0.02143, 0.01591, 0.01393, 0.01294, 0.008214, 0.006742, 0.006066, 0.004658, 0.003819, 0.003172, 0.002472,
            0.002167, 0.001599, 0.001205, 0.001106, 0.0006853, 0.0005515, 0.0004395, 0.0003173, 0.0002495, 0.0001921, 0.0001278
        ]),
        ([10, 15, 20, 28],
        [
            0.5055, 0.4893, 0.4598, 0.4465, 0.4202, 0.4044, 0.3758, 0.3676, 0.34, 0.3275, 0.3034, 0.2864,
            0.2639, 0.2528, 0.2292, 0.2189, 0.2006, 0.1886, 0.1708, 0.1619, 0.1438, 0.1344, 0.12, 0.1113,
            0.1012, 0.09466, 0.08059, 0.0751, 0.06538, 0.0596, 0.05166, 0.04691, 0.04073, 0.03732, 0.03171, 0.0282,
            0.0233, 0.02113, 0.01731, 0.01562, 0.01271, 0.01147, 0.009288, 0.008154, 0.006985, 0.005449, 0.004563, 0.003133,
            0.002613, 0.002219, 0.001838, 0.001516, 0.001112, 0.0008968, 0.0007216, 0.0005418, 0.0004365, 0.0003415, 0.0002393, 0.0001735,
            0.000137, 0.0001011
        ]),
        ([10, 15, 20, 30],
        [
            0.5098, 0.4943, 0.4651, 0.4498, 0.424, 0.4085, 0.3806, 0.3727, 0.3431, 0.331, 0.3051, 0.2908,
            0.2685, 0.2556, 0.2322, 0.2203, 0.2043, 0.1908, 0.1732, 0.1646, 0.145, 0.1373, 0.1216, 0.113,
            0.1018, 0.09543, 0.08169, 0.07635, 0.06676, 0.06017, 0.0524, 0.04784, 0.0417, 0.03771, 0.03228, 0.02884,
            0.024, 0.0218, 0.01763, 0.01594, 0.01282, 0.01155, 0.009593, 0.008274, 0.00711, 0.005467, 0.004603, 0.003204,
            0.002691, 0.00229, 0.001839, 0.00152, 0.001142, 0.0009358, 0.000723, 0.0005461, 0.0004413, 0.0003585, 0.0002618, 0.000178,
            0.0001483, 0.0001043
        ]),
    ];
}
