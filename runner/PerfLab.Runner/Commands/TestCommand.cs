using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Programs;

namespace PerfLab.Runner.Commands;

/// <summary>`test` needs the SDK, not this program: the launcher runs tests/run. It is here for `--help` and the list of commands.</summary>
internal static class TestCommand
{
    public static Command Create()
    {
        var all = new Option<bool>("--all") { Description = "Also the long ones." };
        var calibration = new Option<bool>("--calibration")
        {
            Description = "Only the statistics, simulated at full size: prints the table of G1 to G15, S1, H1 and B1.",
        };
        var durations = new Option<bool>("--durations") { Description = "Name the slowest 20 tests at the end." };
        var command = Examples.Command(
            "test", "Everything needed to run the tests, then the tests.", ["./perf-lab test", "./perf-lab test --all"]).With(all, calibration, durations);
        command.SetAction(WithoutSources);
        return command;
    }

    private static int WithoutSources(ParseResult parsed) => throw new LabException(
        "running the tests", "this is the runner alone, without their sources", "clone the repository, then `./perf-lab test`");
}
