using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Profiles;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Programs;
using PerfLab.Reports;
using PerfLab.Reports.Text;
using PerfLab.Runner.Keeping;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow;

/// <summary>Journal -> comparison. The journal may come from anywhere and is never changed.</summary>
internal static class CompareStep
{
    /// <summary>A journal that crosses a border may be this large (docs/internals/formats.md).</summary>
    private const long MostBytes = 64L << 20;

    public static (SampleSet Samples, Comparison Comparison) Run(string journal, RunPlan? plan, LabLedger? ledger = null)
    {
        var samples = Read(journal);
        var own = samples.Header.Policy is { } written ? new(written, "journal") : new PolicyUsed(new Policy(), "defaults");
        var (used, comparison) = plan is null ? Compared(samples, own, ledger)
            : samples.Header.Shard is not null ? Run([journal], plan, ledger)
            : Compared(Trusting(plan, samples, journal), new(plan.Policy, "plan"), ledger);
        return (used, ExplainedBeside(journal, comparison));
    }

    /// <summary>With what traced launches said, where it lies beside the journal. A broken file costs nobody the verdict.</summary>
    private static Comparison ExplainedBeside(string journal, Comparison comparison)
    {
        if (InputFile.IsStandardInput(journal))
        {
            return comparison;
        }

        var file = new FileInfo(Path.Combine(Path.GetDirectoryName(Path.GetFullPath(journal))!, SessionFolder.ExplanationFile));
        if (file is not { Exists: true, LinkTarget: null })
        {
            return comparison;
        }

        var tooLarge = $"it is larger than {Explanation.File.MostBytes >> 20} MiB";
        var reading = file.Length > Explanation.File.MostBytes ? null : Explanation.File.Read(File.ReadAllBytes(file.FullName));
        return reading?.Value is { } explanation ? ExplainedComparison.With(comparison, explanation) : comparison with
        {
            Warnings = [.. comparison.Warnings, $"explanation.json is not used: {reading?.Problems[0].ToString() ?? tooLarge}"],
        };
    }

    /// <summary>The journals of a plan's shards, judged as one family; one that is damaged does not count, and the others do.</summary>
    public static (SampleSet Samples, Comparison Comparison) Run(IReadOnlyList<string> journals, RunPlan plan, LabLedger? ledger = null) =>
        Compared(Joined(journals, plan), new(plan.Policy, "plan"), ledger);

    /// <summary>The journals of a plan's shards as one, not judged.</summary>
    public static SampleSet Joined(IReadOnlyList<string> journals, RunPlan plan) => JoinedShards.Of(plan, [.. journals.Select(journal =>
    {
        var contents = JournalReader.Read(ReadBytes(journal));
        return new ShardJournal(InputFile.Name(journal), contents.Samples, contents.Damage);
    })]);

    public static SampleSet Read(string journal)
    {
        var contents = JournalReader.Read(ReadBytes(journal));
        return contents.Samples ?? throw new LabException(
            $"reading {InputFile.Name(journal)}", contents.Damage!,
            "use a copy from before the damage, or the perf-lab that wrote it when it is of another version; "
                + "records after the damage are not used");
    }

    public static byte[] ReadBytes(string journal) => InputFile.Read(
        journal, MostBytes, toDo: "give the path of a samples.ndjson or of its session's folder, or - for standard input",
        whenTooLarge: "measure fewer cells in one session");

    /// <summary>Cells, units and directions come from the plan, never from the journal; only values and build identities are taken from it.</summary>
    private static SampleSet Trusting(RunPlan plan, SampleSet samples, string journal)
    {
        if (samples.Header.Plan != plan.Hash)
        {
            throw new LabException($"comparing {InputFile.Name(journal)}", $"it was measured for plan {samples.Header.Plan}, not for {plan.Hash}", "give the plan it was measured for");
        }

        var journalled = samples.Header.Cells.ToDictionary(cell => cell.Id, StringComparer.Ordinal);
        var stranger = journalled.Keys.Except(plan.Cells.Select(cell => cell.Id), StringComparer.Ordinal).FirstOrDefault();
        if (stranger is not null)
        {
            throw new LabException($"comparing {InputFile.Name(journal)}", $"cell '{stranger}' is not in the plan", "give the plan it was measured for");
        }

        var cells = plan.Cells.Select(cell => PlannedCells.WithBuilds(
            cell, journalled.GetValueOrDefault(cell.Id), whenAbsent: "the journal does not hold this cell"));
        return samples with { Header = samples.Header with { Cells = [.. cells] } };
    }

    private static (SampleSet Samples, Comparison Comparison) Compared(SampleSet samples, PolicyUsed policy, LabLedger? ledger)
    {
        var comparison = Comparer.Compare(samples, policy, ledger?.Margins(samples.Header));
        var names = RowNames.Full(samples.Header.Cells);
        return (samples, comparison with
        {
            Headline = Headline.Of(comparison, samples.Header.Cells),
            Cells = [.. comparison.Cells.Select(row => row with { Name = names.GetValueOrDefault(row.Cell) })],
        });
    }
}
