using PerfLab.Core.Model;

namespace PerfLab.Core.Planning.Plans;

/// <summary>The journal of one shard, or why there is none.</summary>
/// <param name="Name">The file, for messages.</param>
/// <param name="Samples">Null when the journal is damaged.</param>
/// <param name="Damage">Where and how, when it is.</param>
public sealed record ShardJournal(string Name, SampleSet? Samples, string? Damage);

/// <summary>
/// Puts the journals of a plan's shards together, so that they are judged as one family. A shard that is not there is named, and its
/// cells have failed; whatever contradicts the plan is refused, because nobody could say then which half is right.
/// </summary>
public static class JoinedShards
{
    private const int MostCellsNamed = 5;
    private const string GiveOnes = "give one journal for each shard of the plan, and no other";

    /// <summary>What the joined session of a plan is called.</summary>
    public static string SessionOf(RunPlan plan) => $"shards-{plan.Hash["sha256:".Length..][..12]}";

    /// <exception cref="LabException">A journal is of another plan or policy, or a shard is there twice.</exception>
    public static SampleSet Of(RunPlan plan, IReadOnlyList<ShardJournal> journals)
    {
        var shards = new SortedDictionary<int, SampleSet>();
        foreach (var (name, samples, _) in journals)
        {
            if (samples is not null && !shards.TryAdd(Number(plan, name, samples), samples))
            {
                throw Refused(name, $"shard {samples.Header.Shard} of the plan is there twice");
            }
        }

        if (shards.Count == 0)
        {
            throw Refused(string.Join(", ", journals.Select(journal => journal.Name)),
                string.Join("; ", journals.Select(journal => journal.Damage).Distinct(StringComparer.Ordinal)));
        }

        var absent = Enumerable.Range(1, plan.Shards!.Count).Where(number => !shards.ContainsKey(number)).ToList();
        var damaged = journals.Where(journal => journal.Samples is null).ToList();
        var first = shards.Values.First();
        var cells = shards.Values.SelectMany(shard => shard.Header.Cells).ToDictionary(cell => cell.Id, StringComparer.Ordinal);
        return new()
        {
            Header = first.Header with
            {
                Session = SessionOf(plan),
                Shard = null,
                Started = shards.Values.Min(shard => shard.Header.Started),
                Executor = string.Join(", ", shards.Values.Select(shard => shard.Header.Executor).Distinct(StringComparer.Ordinal)),
                Machine = [],
                Cells = [.. plan.Cells.Select(cell => PlannedCells.WithBuilds(cell, cells.GetValueOrDefault(cell.Id), whenAbsent: null))],
            },
            Launches = [.. shards.Values.SelectMany(shard => shard.Launches)],
            Voids = [.. shards.Values.SelectMany(shard => shard.Voids)],
            Differences = [.. shards.Values.SelectMany(shard => shard.Differences).DistinctBy(difference => difference.Id, StringComparer.Ordinal)],
            Touches = [.. shards.Values.SelectMany(shard => shard.Touches)],
            Complete = shards.Values.All(shard => shard.Complete),
            Warnings =
            [
                .. damaged.Select(journal => $"{journal.Name} can't be read and does not count: {journal.Damage}"),
                .. absent.Select(number => Absent(plan, number)),
                .. shards.SelectMany(shard => shard.Value.Warnings.Select(warning => Invariant($"shard {shard.Key}: {warning}"))),
            ],
            Shards = [.. shards.Values],
            Missing = absent.SelectMany(number => plan.Shards[number - 1].Select(cell => (Cell: cell, Number: number)))
                .ToDictionary(
                    one => one.Cell, one => Invariant($"never launched: shard {one.Number} of the plan is missing"), StringComparer.Ordinal),
        };
    }

    private static int Number(RunPlan plan, string name, SampleSet samples)
    {
        var header = samples.Header;
        if (header.Plan != plan.Hash)
        {
            throw Refused(name, $"it was measured for plan {header.Plan}, not for {plan.Hash}");
        }

        if (plan.Shards is not { } shards || header.Shard is not { } number)
        {
            throw Refused(name, plan.Shards is null
                ? "the plan has no shards" : "it is no shard: it holds the whole plan, measured on one machine");
        }

        if (number > shards.Count)
        {
            throw Refused(name, Invariant($"it is shard {number} of a plan of {shards.Count}"));
        }

        if (header.Policy is { } policy && policy != plan.Policy)
        {
            throw Refused(name, "it was measured under another policy than the plan's");
        }

        return header.Cells.Select(cell => cell.Id).ToHashSet(StringComparer.Ordinal).SetEquals(shards[number - 1]) ? number
            : throw Refused(name, Invariant($"its cells are not those of shard {number}"));
    }

    private static string Absent(RunPlan plan, int number)
    {
        var cells = plan.Shards![number - 1];
        var more = cells.Count > MostCellsNamed ? Invariant($" and {cells.Count - MostCellsNamed} more") : "";
        return Invariant($"shard {number} of {plan.Shards.Count} is missing: nothing was measured of ")
            + string.Join(", ", cells.Take(MostCellsNamed)) + more;
    }

    private static LabException Refused(string name, string cameBack) =>
        new($"putting {name} together with the other shards", cameBack, GiveOnes);
}
