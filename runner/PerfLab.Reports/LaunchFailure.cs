using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Reports;

/// <summary>Launches of one arm that ended badly in the same way.</summary>
/// <param name="What">"3 launches failed with exit code 134".</param>
/// <param name="Reason">Why a launch was refused, raw, or null.</param>
/// <param name="Tail">The last lines that the last of them printed, raw: hostile text until it went through <see cref="UntrustedText"/>.</param>
public sealed record LaunchFailure(string Arm, string What, string? Reason, string? Tail)
{
    /// <summary>Kinds of failure shown for a row; the count of every launch is in the row's warnings.</summary>
    private const int MostShown = 3;

    /// <summary>128 and SIGSEGV.</summary>
    private const int SegmentationFault = 139;

    /// <summary>The failures that bear on a row: those of its arm and of the reference it is paired with.</summary>
    internal static IReadOnlyList<LaunchFailure> Of(IEnumerable<Launch> launchesOfCell, string arm, string? reference) =>
        [.. launchesOfCell.Where(launch => launch.Outcome != Outcome.Measured)
            .Where(launch => launch.Arm == arm || launch.Arm == reference)
            .GroupBy(launch => (launch.Arm, launch.Outcome, launch.ExitCode))
            .OrderByDescending(group => group.Count())
            .Take(MostShown)
            .Select(group => From([.. group]))];

    private static LaunchFailure From(IReadOnlyList<Launch> alike)
    {
        var last = alike[^1];
        var launches = alike.Count == 1 ? "1 launch" : Invariant($"{alike.Count} launches");
        return new LaunchFailure(last.Arm, $"{launches} {Ending(last, alike.Count)}", Filled(last.Reason), Filled(last.Tail));
    }

    private static string Ending(Launch launch, int count) => launch.Outcome switch
    {
        // Nothing is printed then, and nothing else tells whose fault it may be.
        Outcome.Failed when launch.ExitCode is SegmentationFault =>
            Invariant($"failed with exit code {SegmentationFault}: a segmentation fault, in the runtime or in native or unsafe code"),
        Outcome.Failed when launch.ExitCode is { } code => Invariant($"failed with exit code {code}"),
        Outcome.Failed => "failed",
        Outcome.TimedOut => "timed out",
        Outcome.OutOfMemory => "ran out of memory",
        Outcome.Refused => count == 1 ? "gave a result that was refused" : "gave results that were refused",
        Outcome.KilledFromOutside => count == 1 ? "was killed from outside" : "were killed from outside",
        _ => Words.Of(launch.Outcome),
    };

    private static string? Filled(string? text) => string.IsNullOrWhiteSpace(text) ? null : text;
}
