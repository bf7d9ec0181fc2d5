using PerfLab.Core.Model;

namespace PerfLab.Core.Planning.Plans;

/// <summary>
/// How many bytes of padding the environment of a launch gets. The size of the environment moves a program's stack, which changes its speed by
/// more than most changes do. So every round draws a size, the same for all arms: over the rounds it becomes noise, not part of the change
/// (docs/statistics.md, "What does not matter is drawn").
/// </summary>
public static class EnvironmentPad
{
    /// <summary>The variable that holds the padding.</summary>
    public const string Variable = "PERF_LAB_PAD";

    /// <summary>As many bytes as a page of memory has.</summary>
    public const int Most = 4095;

    /// <summary>For launches of which nothing is compared.</summary>
    public const int OfProof = 0;

    /// <summary>The bytes for all arms of one attempt of a round, the same in every session of the plan.</summary>
    public static int Draw(ulong seed, Stage stage, PlannedRound round, int attempt) =>
        SeededRandom.For(seed, $"pad {stage} {round.Cell} {round.Round} {attempt}").Next(Most + 1);
}
