using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`--rounds 5`: a direction and no verdict. Whatever acts on a verdict is refused beside it, before anything is built.</summary>
internal static class QuickLook
{
    /// <param name="rounds">As they were typed.</param>
    /// <param name="given">Options that act on what regressed or improved, each with whether it was typed.</param>
    /// <exception cref="WrongUseException">One of them was.</exception>
    public static void RefuseBeside((int Screen, int Confirm)? rounds, params IEnumerable<(string Option, bool IsGiven)> given)
    {
        var idle = given.Where(pair => pair.IsGiven).Select(pair => pair.Option).ToList();
        if (rounds is { } few && PolicyRules.ShowDirectionOnly(few) && idle.Count > 0)
        {
            throw new WrongUseException([new(string.Join(", ", idle),
                Invariant($"nothing can regress or improve in {few.Confirm} rounds: they show a direction and give no verdict."),
                Invariant($"Ask for --rounds {StageRule.LeastConfirmRounds} or more, or leave {string.Join(" and ", idle)} out."))]);
        }
    }
}
