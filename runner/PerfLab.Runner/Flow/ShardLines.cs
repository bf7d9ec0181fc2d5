using PerfLab.Core.Model;
using PerfLab.Reports;

namespace PerfLab.Runner.Flow;

/// <summary>The machine of a session, or those of its shards, as a report shows them.</summary>
internal static class ShardLines
{
    /// <summary>("shard 2", "AMD EPYC …, docker, 2026-11-22 16:10 UTC, 12 cells, session …"), for each that is there.</summary>
    public static IReadOnlyList<(string Name, string Value)> Of(SampleSet samples) =>
        [.. samples.Shards.Select(shard => (Name(shard), string.Join(", ", new[]
        {
            KindOf(shard),
            NodesOf(shard),
            shard.Header.Executor,
            shard.Header.Started.UtcDateTime.ToString("yyyy-MM-dd HH:mm 'UTC'", CultureInfo.InvariantCulture),
            Counted.Of(shard.Header.Cells.Count, "cell"),
            $"session {shard.Header.Session}",
        }.Where(part => part is not null))))];

    /// <summary>Base and head of a row always share one machine; two rows need not, and their values can't be compared then.</summary>
    public static string? Machines(SampleSet samples)
    {
        if (samples.Sessions is [var one])
        {
            return MachineLine.Of(one.Header.Machine);
        }

        var kinds = samples.Shards.Select(shard => KindOf(shard) ?? "unknown")
            .Distinct(StringComparer.Ordinal).ToList();
        return kinds is [var only]
            ? Invariant($"{samples.Shards.Count} of a kind: {only}")
            : Invariant($"{kinds.Count} kinds, so values of two rows can't be compared, only base and head of each: ")
                + string.Join("; ", kinds);
    }

    /// <summary>Null when no journal says anything about its machine.</summary>
    public static HygieneNote? Hygiene(SampleSet samples)
    {
        if (samples.Sessions is [var one])
        {
            return HygieneNotes.Of(one);
        }

        var notes = samples.Shards.Select(shard => (Name: Name(shard), Note: HygieneNotes.Of(shard)))
            .Where(shard => shard.Note is not null).ToList();
        return notes.Count == 0 ? null : new(
            string.Join("; ", notes.Select(shard => $"{shard.Name}: {shard.Note!.Line}")),
            [.. notes.SelectMany(shard => shard.Note!.Items.Select(item => item with { Text = $"{shard.Name}: {item.Text}" }))]);
    }

    /// <summary>What launches ran on: the processors of their nodes in a cluster, and else the machine of the lab.</summary>
    private static string? KindOf(SampleSet shard) =>
        Seen(shard, "cpuModel") is { Count: > 0 } models ? string.Join(" and ", models) : MachineLine.Of(shard.Header.Machine);

    /// <summary>"node n1" of a cluster; several where launches have several programs, or one vanished; null where there is none.</summary>
    private static string? NodesOf(SampleSet shard) =>
        Seen(shard, "node") is { Count: > 0 } nodes ? $"{(nodes.Count == 1 ? "node" : "nodes")} {string.Join(", ", nodes)}" : null;

    /// <summary>All that the executor saw of a shard's launches under a name.</summary>
    private static List<string> Seen(SampleSet shard, string name) =>
        [.. shard.Launches.Select(launch => launch.Evidence["outside"] as JsonObject)
            .SelectMany(outside => outside?["nodes"] is JsonObject several
                ? several.Select(node => (node.Value as JsonObject)?[name]) : [outside?[name]])
            .Select(seen => seen is JsonValue value && value.TryGetValue<string>(out var text) ? text : null).OfType<string>()
            .Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)];

    private static string Name(SampleSet shard) => Invariant($"shard {shard.Header.Shard}");
}
