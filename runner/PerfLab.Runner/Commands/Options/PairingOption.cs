using System.CommandLine;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`--pairing turns`: the arms of a round take turns, in place of one launch after the other.</summary>
internal static class PairingOption
{
    public const string Name = "--pairing";

    private const string Launches = "launches", Turns = "turns", Auto = "auto";

    public static Option<string?> Create()
    {
        var option = new Option<string?>(Name)
        {
            Description = "launches (what --command takes): a round launches one arm after the other. turns: all arms of a round are "
                + $"alive, one runs and the others are frozen, by slices ({Turns}:{TurnPlan.Default} says how many, and how long). "
                + "Of --command the number is the fewest. auto (what all else takes): turns for what can, launches for the others.",
            HelpName = $"{Launches}|{Turns}|{Auto}",
        };
        option.CompletionSources.Add(Launches, Turns, Auto);
        return option;
    }

    /// <summary>Of commands; null for launches, and when it is wrong.</summary>
    /// <param name="text">As typed.</param>
    /// <param name="problems">Gets what is wrong.</param>
    public static TurnPlan? OfCommands(string? text, ICollection<Problem> problems) =>
        Read(text ?? Launches, TurnPlan.OfCommands, problems);

    /// <summary>Of everything else; null for launches, and when it is wrong.</summary>
    /// <param name="text">As typed.</param>
    /// <param name="problems">Gets what is wrong.</param>
    public static TurnPlan? Read(string? text, ICollection<Problem> problems) => Read(text ?? Auto, TurnPlan.Default, problems);

    private static TurnPlan? Read(string text, TurnPlan usual, ICollection<Problem> problems)
    {
        if (text is Launches)
        {
            return null;
        }

        var word = text.Split(':')[0];
        var slices = word is not (Turns or Auto) ? null : word == text ? usual : TurnPlan.Parse(text[(word.Length + 1)..]);
        if (slices is null)
        {
            problems.Add(new(Name, $"'{text}' is no way of pairing.",
                Invariant($"Write {Launches}, {Turns}, {Auto}, or {Turns}:{TurnPlan.Default} with {TurnPlan.LeastSlices} to {TurnPlan.MostSlices} ")
                    + Invariant($"slices of {1000 * TurnPlan.LeastSeconds:0} to {1000 * TurnPlan.MostSeconds:0} ms.")));
        }

        return slices is null ? null : slices with { OrLaunches = word == Auto };
    }
}
