using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`--aa --layout`: the same arm twice, laid out differently in memory.</summary>
internal static class LayoutArms
{
    /// <summary>Every seed has layouts of its own: what one pair of them shows is about that pair.</summary>
    public static List<ArmRequest> Of(ArmRequest same, ulong seed)
    {
        var random = SeededRandom.For(seed, "layouts");
        var first = random.Next(WorkloadDimensions.Layouts);
        var second = (first + 1 + random.Next(WorkloadDimensions.Layouts - 1)) % WorkloadDimensions.Layouts;
        return [With(same, first), With(same with { Id = "head" }, second)];
    }

    private static ArmRequest With(ArmRequest arm, int layout) => arm with
    {
        Values = new Dictionary<string, string>(arm.Values, StringComparer.Ordinal)
        {
            [WorkloadDimensions.Layout] = layout.ToString(CultureInfo.InvariantCulture),
        },
    };
}
