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
    public static async Task RunAsync(
        Lab lab, ILauncher launcher, RunPlan plan, ArmBuilds builds, SessionFolder folder, CancellationToken cancellationToken)
    {
        if (!plan.Explain || File.Exists(folder.Explanation))
        {
            return;
        }

        var moved = Moved(lab, plan, folder);
        if (moved.Count == 0)
        {
            return;
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
        }
        catch (OperationCanceledException)
        {
            lab.Terminal.Say($"interrupted while explaining what moved; {later} does it later");
        }
        catch (Exception exception) when (exception is LabException or IOException or UnauthorizedAccessException)
        {
            lab.Terminal.Say($"what moved could not be explained: {exception.Message}");
        }
    }

    private static IReadOnlyList<(string Cell, string Arm)> Moved(Lab lab, RunPlan plan, SessionFolder folder)
    {
        using var ledger = LabLedger.ToRead(lab.Terminal);
        return ExplainedComparison.Moved(CompareStep.Run(folder.Samples, plan, ledger).Comparison);
    }
}
