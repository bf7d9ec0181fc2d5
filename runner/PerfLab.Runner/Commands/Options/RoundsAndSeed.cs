using System.Security.Cryptography;
using PerfLab.Core.Files;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Runner.Commands.Options;

/// <summary>The numbers of a session as people write them: "8+20", "5" without a screen, a seed.</summary>
internal static class RoundsAndSeed
{
    public static (int, int)? Rounds(string? text, ICollection<Problem> problems)
    {
        if (text is null)
        {
            return null;
        }

        var parts = text.Contains('+') ? text.Split('+') : ["0", text];
        if (parts.Length == 2
            && int.TryParse(parts[0], NumberStyles.None, CultureInfo.InvariantCulture, out var screen)
            && int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out var confirm)
            && screen <= LogRatios.MostRounds && confirm <= LogRatios.MostRounds && screen + confirm > 0)
        {
            return (screen, confirm);
        }

        problems.Add(new(
            "--rounds", $"'{text}' is not S+C: rounds of the screen and of the confirm stage.",
            Invariant($"Example: 8+20, or 20 without a screen; at least one round, at most {LogRatios.MostRounds} each.")));
        return null;
    }

    public static ulong Seed(long? seed, ICollection<Problem> problems)
    {
        if (seed < 0)
        {
            problems.Add(new("--seed", "must not be negative."));
        }

        // 31 bits: short enough to type again.
        return (ulong)(seed ?? RandomNumberGenerator.GetInt32(int.MaxValue));
    }
}
