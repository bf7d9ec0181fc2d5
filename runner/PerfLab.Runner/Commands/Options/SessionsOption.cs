using System.CommandLine;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`--sessions 2`: what is flagged counts only when it is there again.</summary>
internal static class SessionsOption
{
    public static Option<int?> Create() => new("--sessions")
    {
        Description = Invariant($"Measure what regressed or improved again until it was measured N times, ")
            + Invariant($"{Policy.RepeatApart / 60:0} minutes apart; ")
            + "the verdict stays only when every session agrees.",
        HelpName = "N",
    };

    public static Policy Apply(int? sessions, Policy policy, int arms, ICollection<Problem> problems)
    {
        if (sessions is not { } count)
        {
            return policy;
        }

        if (count is < 1 or > Policy.MostRepeats + 1)
        {
            problems.Add(new("--sessions", Invariant($"{count} is out of range."), Invariant($"Between 1 and {Policy.MostRepeats + 1}.")));
            return policy;
        }

        if (count > 1 && arms == 1)
        {
            problems.Add(new("--sessions", "measures again what regressed or improved, and one arm is compared with nothing.",
                "Name a --base, or leave it out."));
        }

        return policy with { Repeats = count - 1 };
    }
}
