using System.CommandLine;
using PerfLab.Core.Files;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Trends;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`--only touched|all`: whether benchmarks are measured of which nothing that they run differs.</summary>
internal static class OnlyOption
{
    public const string Touched = "touched", All = "all";

    public static Option<string?> Create()
    {
        var only = new Option<string?>("--only")
        {
            Description = "touched: don't measure benchmarks that run nothing of what differs (the default between two sources); all: measure every one.",
            HelpName = "touched|all",
        };
        only.AcceptOnlyFromAmong(Touched, All);
        return only;
    }

    /// <summary>
    /// Between two sources, unless somebody wants all. Where anything else differs every benchmark runs something that differs, and A/A
    /// runs and
    /// trends are about the machine as well.
    /// </summary>
    public static bool Read(string? asked, IReadOnlyList<ArmRequest> arms, bool isAa, ICollection<Problem> problems)
    {
        var areSources = arms is [var reference, var arm] && !isAa && reference.Id != SeriesName.AnchorArm
            && reference.Values.Keys.SequenceEqual([WorkloadDimensions.Source], StringComparer.Ordinal)
            && arm.Values.Keys.SequenceEqual([WorkloadDimensions.Source], StringComparer.Ordinal);
        if (asked == Touched && !areSources)
        {
            problems.Add(new("--only", "touched goes with two sources, of which nothing else differs.", "Example: --base main --head ."));
        }

        return areSources && asked != All;
    }
}
