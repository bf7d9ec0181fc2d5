using System.CommandLine;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`run --within 10m`: rows end early or go on until they are decided, or the minutes are over.</summary>
internal static class WithinOption
{
    public const string Name = "--within";

    public static Option<string?> Create() => new(Name)
    {
        Description = "Minutes of measuring in place of fixed rounds: "
            + "a row ends early when it shows nothing, and goes on while it is undecided.",
        HelpName = "10m",
    };

    /// <summary>What it was called before it could go on; it only tells what to type now.</summary>
    public static Option<bool> CreateStopEarly() => new("--stop-early") { Description = $"Is gone: {Name}.", Hidden = true };

    /// <summary>The policy with the minutes that were asked for, if any.</summary>
    /// <param name="hasRounds">A fixed plan was asked for, too.</param>
    /// <param name="arms">One is compared with nothing.</param>
    public static Policy Apply(
        (string? Within, bool StopEarly) asked, Policy policy, bool hasRounds, int arms, ICollection<Problem> problems)
    {
        if (asked.StopEarly)
        {
            problems.Add(new("--stop-early", "is gone: with minutes, rows end early and go on as they need.",
                $"Type {Name} 10m in its place, without --rounds; or --rounds alone for a fixed plan."));
        }

        if (asked.Within is not { } text)
        {
            return policy;
        }

        if (Minutes(text) is not (> 0 and <= Policy.MostMinutes and var minutes))
        {
            problems.Add(new(Name, $"'{text}' is no time to measure in.",
                Invariant($"Write minutes, above 0 and at most {Policy.MostMinutes}: {Name} 10m.")));
            return policy;
        }

        if (hasRounds)
        {
            problems.Add(new(Name, "goes without --rounds: one says how long, the other how often.", "Leave one of them out."));
        }

        if (arms == 1)
        {
            problems.Add(new(Name, "measures until rows are decided, and one arm is compared with nothing.",
                "Name a --base, or leave it out."));
        }

        return policy with { Within = minutes };
    }

    /// <summary>"10m", "90s", or a bare number of minutes; null for anything else.</summary>
    private static double? Minutes(string text) =>
        DurationOption.Parse(text) is { TotalMinutes: var whole } ? whole
        : double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var minutes) ? minutes : null;
}
