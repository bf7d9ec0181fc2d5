using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Profiles;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Launching;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Keeping;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Afterwards;

/// <summary>
/// Journal -> explanation.json beside it, where the plan asks for one and something moved. Whatever goes wrong costs the why, never the
/// verdict.
/// </summary>
internal static class ExplainMoved
{
    /// <summary>Compares to see what moved, and launches that again.</summary>
    /// <param name="ledger">Opens what the comparison takes from the history. It is closed before anything is launched.</param>
    /// <returns>The comparison, with the why, for who goes on with it; null where no why was asked for.</returns>
    public static async Task<(SampleSet Samples, Comparison Comparison)?> RunAsync(
        Lab lab, ILauncher launcher, RunPlan plan, ArmBuilds builds, SessionFolder folder, Func<LabLedger> ledger,
        CancellationToken cancellationToken)
    {
        if (!plan.Explain || File.Exists(folder.Explanation))
        {
            return null;
        }

        var compared = Compared(plan, folder, ledger);
        var moved = ExplainedComparison.Moved(compared.Comparison);
        if (moved.Count == 0)
        {
            return compared;
        }

        var later = $"`{lab.Terminal.Program} explain {ShellWord.Of(Path.GetRelativePath(lab.Terminal.WorkingFolder, folder.Folder))}`";
        if (moved.Count > ProfileComparison.MostRows)
        {
            lab.Terminal.Say(Invariant($"explaining the {ProfileComparison.MostRows} largest of {moved.Count} rows that moved; ")
                + $"{later} explains all");
        }

        try
        {
            var explanation = await new ExplainStep(lab, launcher).RunAsync(
                plan, builds, [.. moved.Take(ProfileComparison.MostRows)], folder.Folder, cancellationToken);
            SessionFolder.WriteWhole(folder.Explanation, Explanation.File.Write(explanation));
            return (compared.Samples, ExplainedComparison.With(compared.Comparison, explanation));
        }
        catch (OperationCanceledException)
        {
            lab.Terminal.Say($"interrupted while explaining what moved; {later} does it later");
        }
        catch (Exception exception) when (exception is LabException or IOException or UnauthorizedAccessException)
        {
            lab.Terminal.Say($"what moved could not be explained: {exception.Message}");
        }

        return compared;
    }

    private static (SampleSet Samples, Comparison Comparison) Compared(RunPlan plan, SessionFolder folder, Func<LabLedger> ledger)
    {
        using var opened = ledger();
        return CompareStep.Run(folder.Samples, plan, opened);
    }
}
