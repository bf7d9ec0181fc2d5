using PerfLab.Machine.Facts;
using PerfLab.Machine.Watching;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>How long the whole machine stood still, as a thread that only sleeps saw it (<see cref="PauseWatch"/>).</summary>
internal sealed class PausesRow() : HygieneRow(34)
{
    /// <summary>
    /// From tick to tick. More than a busy scheduler keeps a waking thread from its core (a few slices of 3 ms), and far below what it is to
    /// catch: the pauses that Azure makes for maintenance last seconds.
    /// </summary>
    public static readonly TimeSpan Most = TimeSpan.FromMilliseconds(50);

    // Nothing to read: whoever runs the thread (doctor, a session) adds what it saw.
    public override void Read(MachineScan scan, JsonObject facts)
    {
    }

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        if (facts.Number("pauses.longestSeconds") is not { } longest || facts.Number("pauses.watchedSeconds") is not { } watched)
        {
            yield return Recorded("longest pause", facts.Has("pauses") ? MachineFiles.Unknown : "not watched");
            yield break;
        }

        yield return Judged("longest pause", string.Create(CultureInfo.InvariantCulture, $"{longest * 1000:0} ms in {watched:0.0} s"), longest <= Most.TotalSeconds, (Penalty.Warn,
            "a thread that only sleeps 25 ms at a time came that late: other programs kept it from the lab's cores (look for them: top), or the host paused this machine (take a dedicated size, or another host)", policy));
    }

    /// <summary>Why a block with such a gap is worth nothing, or null.</summary>
    public static string? Problem(TimeSpan longest) => longest > Most
        ? FormattableString.Invariant($"the machine stood still for {longest.TotalMilliseconds:0} ms (paused by its host, or starved)")
        : null;
}
