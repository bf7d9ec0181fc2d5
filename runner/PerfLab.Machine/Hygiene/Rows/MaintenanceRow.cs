using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Maintenance that Azure has announced for this machine: values taken then are worth nothing.</summary>
internal sealed class MaintenanceRow() : HygieneRow(35)
{
    /// <summary>The fact when nothing is announced.</summary>
    public const string None = "none";

    // Nothing to read: the service is asked in the background (ScheduledEventsWatch), and only under the policy azure.
    public override void Read(MachineScan scan, JsonObject facts)
    {
    }

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var value = facts.Has("scheduledEvents") ? facts.Text("scheduledEvents") : MachineFiles.Absent;
        yield return Judged("announced maintenance", value, value is None, (Penalty.Warn,
            "rounds measured now would be struck: a session waits for its end, at most 20 minutes; or measure later", policy));
    }

    /// <summary>What is announced, for the journal.</summary>
    /// <param name="events">Null: nobody could say.</param>
    public static string Fact(IReadOnlyList<string>? events) => events is null ? MachineFiles.Unknown : events.Count == 0 ? None : string.Join("; ", events);

    /// <summary>Why a block in which this was announced is worth nothing, or null.</summary>
    public static string? Problem(IReadOnlyList<string> events) => events.Count == 0 ? null : $"Azure announced maintenance of this machine: {string.Join("; ", events)}";
}
