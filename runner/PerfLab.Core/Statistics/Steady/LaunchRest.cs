using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Core.Statistics.Steady;

/// <summary>
/// Whether a launch was at rest while it was measured, as far as it alone can tell. <see cref="Unknown"/>: it kept nothing that says so.
/// </summary>
public enum RestKind { AtRest, Compiling, Trend, Unknown }

/// <summary>
/// One launch: what it says of its warm-up (evidence.rest), and what its windows say of the time that was measured. A rate that moved is
/// not judged here: in one launch a neighbour looks like a program's age. <see cref="ArmRest"/> tells them apart.
/// </summary>
public static class LaunchRest
{
    /// <summary>Share of the measured windows in which a program compiled in bulk, from which on its value is about that.</summary>
    public const double CompilingShare = 0.1;

    /// <summary>One window alone may be the runtime's own: its timers get warm, too, whenever that is.</summary>
    public const int LeastCompilingWindows = 2;

    public static RestKind Of(Launch launch, WindowSeries? series)
    {
        if (series is not null && CompilesWhileMeasured(series))
        {
            return RestKind.Compiling;
        }

        if (RestState.From(launch.Evidence) is { } said)
        {
            return said.Why switch { null => RestKind.AtRest, Restlessness.Trend => RestKind.Trend, _ => RestKind.Compiling };
        }

        return series is { Rates.Count: >= SteadyRule.LeastWindows } ? RestKind.AtRest : RestKind.Unknown;
    }

    /// <summary>It says that its project wants it cold (evidence.age): compiling is a part of what is measured.</summary>
    internal static bool IsCold(Launch launch) => JsonText.Of(launch.Evidence[Cell.Age]) == Cell.Cold;

    private static bool CompilesWhileMeasured(WindowSeries series)
    {
        if (series.Compiled.Count == 0)
        {
            return false;
        }

        var first = series.FirstMeasured;
        var bulk = series.Compiled.Skip(first).Count(methods => methods > SteadyRule.QuietMethods);
        return bulk >= LeastCompilingWindows && bulk >= CompilingShare * (series.Compiled.Count - first);
    }
}
