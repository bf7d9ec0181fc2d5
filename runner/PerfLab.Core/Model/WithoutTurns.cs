namespace PerfLab.Core.Model;

/// <summary>
/// The arms of a cell turned out to be unable to take turns: they are launched one after the other from the beginning, and what was measured
/// of the cell before does not count. A cell never mixes both ways.
/// </summary>
/// <param name="Why">To follow a colon.</param>
public sealed record WithoutTurns(string Cell, string Why) : JournalRecord
{
    /// <summary>Whether it takes a launch back. An arm that can't be launched at all stays refused.</summary>
    public bool TakesBack(Launch launch) => launch.Cell == Cell && launch.Outcome != Outcome.Refused;
}
