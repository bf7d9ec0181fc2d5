using System.CommandLine;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`--pairing turns`: the arms of a round take turns, in place of one launch after the other.</summary>
internal static class PairingOption
{
    private const string Name = "--pairing", Launches = "launches", Turns = "turns";

    public static Option<string?> Create()
    {
        var option = new Option<string?>(Name)
        {
            Description = "launches (what is taken): a round launches one arm after the other. turns: all arms of a round are alive, one "
                + $"runs and the others are frozen, by slices ({Turns}:{TurnPlan.Default} says how many, and how long).",
            HelpName = $"{Launches}|{Turns}",
        };
        option.CompletionSources.Add(Launches, Turns);
        return option;
    }

    /// <summary>Null for launches, and when it is wrong.</summary>
    public static TurnPlan? Read(string? text, ICollection<Problem> problems)
    {
        if (text is null or Launches)
        {
            return null;
        }

        var slices = text.StartsWith(Turns + ":", StringComparison.Ordinal) ? TurnPlan.Parse(text[(Turns.Length + 1)..])
            : text == Turns ? TurnPlan.Default : null;
        if (slices is null)
        {
            problems.Add(new(Name, $"'{text}' is no way of pairing.",
                Invariant($"Write {Launches}, {Turns}, or {Turns}:{TurnPlan.Default} with {TurnPlan.LeastSlices} to {TurnPlan.MostSlices} ")
                    + Invariant($"slices of {1000 * TurnPlan.LeastSeconds:0} to {1000 * TurnPlan.MostSeconds:0} ms.")));
        }

        return slices;
    }
}
