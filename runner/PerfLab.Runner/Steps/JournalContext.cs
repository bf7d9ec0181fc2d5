using PerfLab.Core.Measurements;
using PerfLab.Core.Reporting;

namespace PerfLab.Runner.Steps;

/// <summary>What a report shows beside the comparison, as far as the journal knows it: cells, launches, machine, hygiene.</summary>
internal static class JournalContext
{
    public static ReportContext Of(SampleSet samples) => ReportContext.From(samples) with
    {
        Machine = MachineLine.Of(samples.Header.Machine),
        Hygiene = HygieneNotes.Of(samples),
    };
}
