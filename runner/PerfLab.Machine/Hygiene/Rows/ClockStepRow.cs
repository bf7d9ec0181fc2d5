using PerfLab.Machine.Facts;
using PerfLab.Machine.Watching;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>The time of day against the time that only goes on: how they part during a round is the watch's (<see cref="HygieneWatch"/>).</summary>
internal sealed class ClockStepRow() : HygieneRow(19)
{
    /// <summary>Until the year 9000: a journal may hold any number.</summary>
    private const double MostSeconds = 2.2e11;

    public override void Read(MachineScan scan, JsonObject facts) => facts["clockOffsetSeconds"] = ClockPair.Read(scan.Time).OffsetSeconds;

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        // The difference is the time of day at which the monotonic clock stood at 0: for a person, the boot.
        var offset = facts.Number("clockOffsetSeconds");
        yield return Recorded("monotonic clock began", offset is { } seconds && Math.Abs(seconds) < MostSeconds
            ? DateTimeOffset.UnixEpoch.AddSeconds(seconds).ToString("yyyy-MM-dd HH:mm:ss.fff 'UTC'", CultureInfo.InvariantCulture) : MachineFiles.Unknown);
    }
}
