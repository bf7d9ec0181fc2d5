using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Keeping;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Afterwards;

/// <summary>One thing that was looked at.</summary>
/// <param name="What">"journal", "plan", "order", "builds", "verdict", "rebuilt", "attested".</param>
/// <param name="Fine">What was found when it is as it should be.</param>
/// <param name="Flaws">A sentence each; empty: nothing is wrong.</param>
/// <param name="NotChecked">Why it could not be looked at; null when it was.</param>
internal sealed record SessionCheck(string What, string Fine, IReadOnlyList<string> Flaws, string? NotChecked = null);

/// <summary>
/// Whether a session's folder holds together: check sums of the journal, the plan's hash, every launch where the plan's seed puts it, the
/// builds that were measured, and the verdict judged anew. It proves that the files fit each other, not that a machine ever ran them.
/// </summary>
internal sealed class SessionChecks(string folder, LabLedger ledger)
{
    /// <summary>More of a kind say nothing new.</summary>
    private const int Shown = 3;

    public IReadOnlyList<SessionCheck> Run()
    {
        var (journal, samples) = Journal();
        RunPlan? plan = null;
        var planned = !File.Exists(At(SessionFolder.PlanFile)) ? new("plan", "", [], "there is no plan.json") : Check("plan", () =>
        {
            plan = PlanStep.Read(At(SessionFolder.PlanFile));
            IEnumerable<string> flaws = samples is null ? [] : samples.Header.Plan == plan.Hash ? JournalFlaws.OfCells(plan, samples)
                : [$"the journal is of plan {samples.Header.Plan}, this one is {plan.Hash}"];
            return ("its contents have its hash, which the journal names, and the journal its cells, policy and seed", flaws);
        });
        if (samples is null || plan is null)
        {
            return [journal, planned, .. new[] { "order", "builds", "verdict" }.Select(what =>
                new SessionCheck(what, "", [], samples is null ? "it needs the journal" : "it needs the plan"))];
        }

        var order = Check("order", () => (Invariant($"each of {samples.Launches.Count} launches stands where seed {plan.Seed} puts it"),
            JournalFlaws.OfRounds(plan, samples).Concat(JournalFlaws.OfTime(plan, samples))));
        return [journal, planned, order, Builds(plan, samples), Verdict(plan)];
    }

    private string At(string file) => Path.Combine(folder, file);

    private (SessionCheck Check, SampleSet? Samples) Journal()
    {
        var contents = JournalReader.Read(CompareStep.ReadBytes(At(SessionFolder.Journal)));
        IEnumerable<string> flaws = contents.Samples is not { } samples ? [contents.Damage!]
            : samples.Complete ? [] : ["it has no end: the session was cut, or its last records are gone"];
        var fine = Invariant($"{contents.NextSeq} records, each with its check sum, in their order, up to the end");
        return (Check("journal", () => (fine, flaws)), contents.Samples);
    }

    private SessionCheck Builds(RunPlan plan, SampleSet samples)
    {
        if (!File.Exists(At(SessionFolder.BuildsFile)))
        {
            return new("builds", "", [], "there is no builds.json");
        }

        var gone = 0;
        var check = Check("builds", () =>
        {
            var builds = BuildsFile.Read(At(SessionFolder.BuildsFile), plan);
            var others = samples.Header.Cells
                .SelectMany(cell => cell.Arms.Select(arm =>
                    (At: $"{cell.Id}, {arm.Id}", Named: arm.Build, Has: builds[cell.Id, arm.Id].Build?.Identity)))
                .Where(arm => arm.Named != arm.Has)
                .Select(arm => $"{arm.At}: the journal names build {arm.Named ?? "none"}, builds.json {arm.Has ?? "none"}").ToList();
            // The folder of a command is the person's own, and may have changed since.
            var bits = plan.Cells.Where(cell => cell.Result != ResultFormat.WallTime)
                .SelectMany(cell => cell.Arms.Select(arm => builds[cell.Id, arm.Id].Build)).OfType<Build>()
                .Where(build => build.Image is null).DistinctBy(build => build.Identity, StringComparer.Ordinal)
                .ToLookup(build => Directory.Exists(build.Folder));
            gone = bits[false].Count();
            return ("the builds are the ones that the journal names, and their files have these identities",
                others.Concat(bits[true].Where(build => BuildIdentity.Of(build.Folder) != build.Identity)
                    .Select(build => $"the files in {build.Folder} are not those of {build.Identity}")));
        });
        return check.Flaws.Count > 0 || gone == 0 ? check
            : check with { NotChecked = $"the journal's, as far as they go: the files of {Counted.Of(gone, "build")} are not here" };
    }

    private SessionCheck Verdict(RunPlan plan)
    {
        if (!File.Exists(At(SessionFolder.ComparisonFile)))
        {
            return new("verdict", "", [], "there is no comparison.json");
        }

        return Check("verdict", () =>
        {
            var (samples, judged) = CompareStep.Run(At(SessionFolder.Journal), plan, ledger);
            var now = ledger.WithKnown(samples.Header, judged);
            var (rows, said) = (now.Cells, ReportStep.Read(At(SessionFolder.ComparisonFile)));
            var written = said.Cells.ToDictionary(Key);
            var changed = rows
                .Select(row => (Row: row, Other: written.TryGetValue(Key(row), out var had) ? Other(row, had) : "no such row"))
                .Where(one => one.Other is not null)
                .Select(one => $"{Name(one.Row)}: the journal gives {Said(one.Row)}, comparison.json says otherwise ({one.Other})")
                .ToList();
            if (changed.Count == 0 && rows.All(row => written[Key(row)].Margin == row.Margin))
            {
                changed.AddRange(OfHead(now, said));
            }

            return (Invariant($"judged anew from the journal, all {rows.Count} rows of comparison.json come out the same"),
                changed.Concat(said.Cells.ExceptBy(rows.Select(Key), Key)
                    .Select(row => $"{Name(row)} is in comparison.json, and not in the journal")));
        });
    }

    private static string Name(ComparedMetric row) => $"{row.Cell}, {row.Arm}, {row.Metric}";

    private static (string, string, string) Key(ComparedMetric row) => (row.Cell, row.Arm, row.Metric);

    /// <summary>
    /// What of a row is another in the file; null: nothing. What is said in words may change with the version; figures may not. A margin is
    /// a cell's own where the history has one, and decides the verdict.
    /// </summary>
    private static string? Other(ComparedMetric now, ComparedMetric had) => new (string Name, object? Now, object? Had)[]
    {
        ("change", now.Change, had.Change), ("low", now.Low, had.Low), ("high", now.High, had.High), ("p", now.PValue, had.PValue),
        ("adjusted p", now.AdjustedP, had.AdjustedP), ("value of the reference", now.ReferenceValue, had.ReferenceValue),
        ("value", now.ArmValue, had.ArmValue), ("rounds", now.Rounds, had.Rounds), ("unit", now.Unit, had.Unit),
        ("noise", now.Noise, had.Noise), ("verdict", now.Verdict, now.Margin == had.Margin ? had.Verdict : now.Verdict),
    }.Where(field => !Equals(field.Now, field.Had)).Select(field => field.Name).FirstOrDefault();

    /// <summary>What stands above the rows.</summary>
    private static IEnumerable<string> OfHead(Comparison now, Comparison had)
    {
        if (now.Session != had.Session || now.Plan != had.Plan)
        {
            yield return "comparison.json is of another session or plan";
        }

        // What ran in no row, and what is left of a budget, is known to who measured it.
        if (now.Summary with { Untouched = had.Summary.Untouched, OverBudget = had.Summary.OverBudget } != had.Summary)
        {
            yield return "the counts of comparison.json are not those of its rows";
        }
    }

    private static string Said(ComparedMetric row) => string.Join(", ", new[]
    {
        row.Change is { } change ? Invariant($"{change * 100:+0.0;-0.0} %") : "no change",
        row.Verdict is { } verdict ? Words.Of(verdict) : null,
    }.OfType<string>());

    /// <summary>A file that can't be read is a flaw of it.</summary>
    private static SessionCheck Check(string what, Func<(string Fine, IEnumerable<string> Flaws)> look)
    {
        try
        {
            var (fine, flaws) = look();
            var all = flaws.ToList();
            return new(what, fine, all.Count <= Shown ? all : [.. all.Take(Shown), $"and {all.Count - Shown} more like these"]);
        }
        catch (LabException unreadable)
        {
            return new(what, "", [unreadable.CameBack]);
        }
    }
}
