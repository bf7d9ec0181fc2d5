using PerfLab.Core.Model;
using PerfLab.Machine.Hygiene;

namespace PerfLab.Runner.Sessions;

/// <summary>When rounds measured before an interruption may stand beside rounds measured after it.</summary>
internal static class Resumption
{
    /// <summary>Why the session must not go on, or null: other plan, other builds, other executor, rebooted, other CPU.</summary>
    public static string? ReasonNotTo(SampleSet before, IReadOnlyList<string> bootIds, SessionHeader now)
    {
        var header = before.Header;
        if (OtherWork(header, now) is { } other)
        {
            return other;
        }

        if (header.Executor != now.Executor)
        {
            return $"it was started with the {header.Executor} executor, this is {now.Executor}";
        }

        if (!Builds(header).SequenceEqual(Builds(now), StringComparer.Ordinal))
        {
            return "the builds are not the same bits any more";
        }

        if (bootIds.Any(bootId => bootId != BootId(now)))
        {
            return "the machine was booted since";
        }

        // Base was measured before, head would be measured now: what would void a block must not lie between them.
        return HygieneJudge.Differences(header.Machine, now.Machine) is [var difference, ..] ? $"the machine changed since: {difference}" : null;
    }

    /// <summary>Why it is no session of what is to be measured, whether it is complete or not; else null.</summary>
    public static string? OtherWork(SessionHeader header, SessionHeader now) =>
        header.Plan != now.Plan ? $"it was started for plan {header.Plan}, this is plan {now.Plan}"
        : header.Shard != now.Shard ? $"it holds {Name(header.Shard)}, this is {Name(now.Shard)}"
        : null;

    private static string Name(int? shard) => shard is { } number ? Invariant($"shard {number}") : "the whole plan";

    public static string BootId(SessionHeader header) => Text(header.Machine, "bootId");

    private static IEnumerable<string> Builds(SessionHeader header) =>
        header.Cells.SelectMany(cell => cell.Arms.Select(arm => $"{cell.Id} {arm.Id} {arm.Build}"));

    private static string Text(JsonObject facts, string name) =>
        facts[name] is JsonValue value && value.TryGetValue<string>(out var text) ? text : "unknown";
}
