using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Programs;
using PerfLab.Reports;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow;

/// <summary>What a report shows beside the comparison, as far as the journal knows it: cells, launches, machine, hygiene.</summary>
internal static class JournalContext
{
    /// <summary>A plan beside the journal is looked at up to this size: one of 100,000 cells is a gigabyte, and all that is read is its folders.</summary>
    private const long MostPlanBytes = 64L << 20;

    /// <param name="terminal">Where the person stands who reads it, and in which lab.</param>
    /// <param name="samples">The journal.</param>
    /// <param name="plan">Its plan, where it is known.</param>
    public static ReportContext Of(Terminal terminal, SampleSet samples, RunPlan? plan)
    {
        var context = ReportContext.From(samples) with
        {
            Machine = ShardLines.Machines(samples),
            Shards = ShardLines.Of(samples),
            Hygiene = ShardLines.Hygiene(samples),
            ExecutorWarnings =
                [.. samples.Sessions.SelectMany(session => HygieneNotes.Worth(session.Header.Machine)).Distinct(StringComparer.Ordinal)],
            Program = terminal.Program,
        };
        var known = plan is null ? context : context.With(plan) with { Folders = WorkloadTargets.Of(plan, terminal) };
        return known with { NotFound = WorkloadTargets.NotFound(samples.Header.Cells, plan, known.Folders, terminal) };
    }

    /// <summary>The plan of a session from the file beside its journal; null when there is none, or another one.</summary>
    public static RunPlan? PlanBeside(string journal, SampleSet samples)
    {
        if (InputFile.IsStandardInput(journal))
        {
            return null;
        }

        var plan = PlanIn(Path.GetDirectoryName(Path.GetFullPath(journal))!);
        return plan?.Hash == samples.Header.Plan ? plan : null;
    }

    /// <summary>The plan in a folder; null when there is none, or none that can be read.</summary>
    public static RunPlan? PlanIn(string folder)
    {
        var file = new FileInfo(Path.Combine(folder, SessionFolder.PlanFile));
        return !file.Exists || file.Length > MostPlanBytes ? null : PlanFile.File.Read(File.ReadAllBytes(file.FullName)).Value?.Plan;
    }
}
