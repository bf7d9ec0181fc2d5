using static System.FormattableString;

namespace PerfLab.Calibration;

/// <summary>results/fleet.md: how a plan fares on a fleet whose machines fail.</summary>
internal static class FleetTable
{
    private const int Cells = 500, Machines = 8, Fleets = 10;

    private static readonly string[] Columns =
    [
        "shards", "fault", "first answer", "failed cells in it, all named", "whole answer", "launches made twice", "lost",
        "slower cells found", "false flags", "machine hours",
    ];

    public static void Write(ulong seed, TextWriter output)
    {
        var fleets = Enumerable.Range(0, Fleets).Select(fleet => new Fleet(Cells, Machines, seed + (ulong)fleet)).ToList();
        output.WriteLine(Invariant($"# {Cells} cells on a simulated fleet of {Machines} machines"));
        output.WriteLine();
        output.WriteLine(Invariant($"""
            `dotnet run --project benchmarks/PerfLab.Calibration -c Release -- --fleet --seed {seed}`. {Fleets} fleets a row, means of them;
            counts of flags are sums. Plan, shards, screen, joining and verdicts are the product's own code; time and values are made up.
            A launch takes 5.6, 7.6 or 13.6 s, the shards' noise is 0.25, 0.5, 1 and 2 % in turns, {Fleet.Slower} cells are truly
            5 % slower, a machine is there after a minute. With {Machines} shards each machine has one, as on GitHub; with more,
            whoever is free takes the next one. A machine that dies takes what it has not handed in with it, and a shard is
            handed in whole.

            """));
        output.WriteLine($"| {string.Join(" | ", Columns)} |");
        output.WriteLine($"|{string.Concat(Columns.Select(_ => "---|"))}");
        foreach (var shards in new[] { Machines, 4 * Machines })
        {
            foreach (var faults in FleetFaults.All)
            {
                var all = fleets.AsParallel().AsOrdered().Select(fleet => fleet.Run(faults, shards)).ToList();
                output.WriteLine($"| {string.Join(" | ", Row(shards, faults, all))} |");
            }
        }
    }

    /// <summary>In the order of the columns.</summary>
    private static IEnumerable<string> Row(int shards, FleetFaults faults, List<FleetAnswer> all) =>
    [
        Invariant($"{shards}"),
        faults.Name,
        Hours(all.Average(one => one.FirstSeconds)),
        Invariant($"{all.Average(one => one.FirstFailed):0}"),
        Hours(all.Average(one => one.WholeSeconds)),
        Invariant($"{all.Average(one => one.Twice):0} of {all.Average(one => one.Launches):0}"),
        Invariant($"{all.Sum(one => one.Lost)}"),
        Invariant($"{all.Sum(one => one.Found)} of {Fleet.Slower * Fleets}"),
        Invariant($"{all.Sum(one => one.FalseFlags)}"),
        Invariant($"{all.Average(one => one.MachineHours):0.0}"),
    ];

    private static string Hours(double seconds) => Invariant($"{seconds / 3600:0.00} h");
}
