using System.CommandLine;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`--wait 30m`: until nobody else measures here and the machine is quiet, at most that long.</summary>
internal static class WaitOption
{
    public static Option<TimeSpan> Create() => DurationOption.Create(
        "--wait", "30m",
        "Wait up to this long for other sessions to end and for the machine to be quiet (at most 5 % other load), whatever the policy.");

    /// <summary>Where nothing is measured: for the machine alone, quiet or not.</summary>
    public static Option<TimeSpan> ForTheLock() => DurationOption.Create(
        "--wait", "30m", "Wait up to this long for other sessions on this machine to end.");
}
