using System.CommandLine;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`--wait 30m`: until nobody else measures here and the machine is quiet, at most that long.</summary>
internal static class WaitOption
{
    public static Option<TimeSpan> Create() => DurationOption.Create(
        "--wait", "30m",
        "Wait until no other session measures here and nothing else takes the cores, at most that long; "
            + "then measure all the same, or say who holds the machine.");

    /// <summary>Where nothing is measured: for the machine alone, quiet or not.</summary>
    public static Option<TimeSpan> ForTheLock() => DurationOption.Create(
        "--wait", "30m", "Wait until no session measures here, at most that long; then say who holds the machine.");
}
