using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Reports;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Launching;
using PerfLab.Runner.Keeping;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow;

/// <summary>What follows measuring: compare, write the session's files, print, and make the exit code.</summary>
internal static class FinishStep
{
    /// <param name="before">The comparison, where it was made already to explain what moved; null compares.</param>
    public static int Run(
        Lab lab, SessionFolder folder, ILauncher launcher, RunPlan plan, OutputSettings output,
        (SampleSet Samples, Comparison Comparison)? before)
    {
        using var ledger = LabLedger.ToKeep(lab.Terminal, lab.Config);
        var (samples, compared) = before ?? CompareStep.Run(folder.Samples, plan, ledger);
        var comparison = ledger.Keep(folder.Samples, samples, compared);
        var known = JournalContext.Of(lab.Terminal, samples, plan);
        var context = known with { ExecutorWarnings = [.. launcher.Warnings, .. known.ExecutorWarnings] };
        var pictures = Write(folder.Folder, comparison, context);
        ReportStep.Print(lab.Terminal, comparison, context, output);
        IEnumerable<string> files =
            ["plan.json", "builds.json", "samples.ndjson", "comparison.json", "report.md", .. pictures, .. folder.WhyFiles];
        lab.Terminal.Say($"files: {Path.GetRelativePath(lab.Terminal.WorkingFolder, folder.Folder)}/ ({string.Join(", ", files)})");
        if (output.FailOn.HasFlag(FailOn.Budget) && lab.Config.Budget is null)
        {
            lab.Terminal.Say("--fail-on budget fails on nothing: perf-lab.yaml says no budget. "
                + "Example, 5 % since the anchor: budget: 0.05");
        }

        WarnOfDirection(lab.Terminal, comparison, output.FailOn);
        return Verdicts.ExitCodeOf(comparison, samples, output.FailOn);
    }

    /// <summary>So few rounds that nothing can regress in them: whoever wants an exit code of it should know.</summary>
    public static void WarnOfDirection(Programs.Terminal terminal, Comparison comparison, FailOn failOn)
    {
        if (failOn.HasFlag(FailOn.Regression) && PolicyRules.ShowDirectionOnly(comparison.Policy))
        {
            terminal.Say(Invariant($"--fail-on regression fails on nothing: {comparison.Policy.ConfirmRounds} rounds show a direction and give no verdict"));
        }
    }

    /// <summary>The comparison, the report and everything to be looked at; says the names of the latter.</summary>
    /// <param name="folder">That of the session, or another with the same files.</param>
    /// <param name="comparison">What was found.</param>
    /// <param name="context">What the report says beside it.</param>
    public static IReadOnlyList<string> Write(string folder, Comparison comparison, ReportContext context)
    {
        SessionFolder.WriteWhole(Path.Combine(folder, SessionFolder.ComparisonFile), Comparison.File.Write(comparison));
        var report = Report.From(comparison, context);
        SessionFolder.WriteWhole(Path.Combine(folder, "report.md"), MarkdownReport.Render(report));
        return PictureFiles.Write(folder, report, PageStep.Parts(folder, comparison, context.Samples));
    }
}
