using PerfLab.Core.Files;

namespace PerfLab.Core.Model;

/// <summary>What kept a launch from coming to rest until its bound: methods that were compiled, or a rate that went on rising or falling.</summary>
public enum Restlessness { Compiling, Trend }

/// <summary>
/// How the warm-up of a launch ended, as the launch itself saw it (evidence.rest of a result): at rest, or at its bound. What has no such
/// evidence (a command, a script, a program that is measured cold) has no age that the lab can see.
/// </summary>
/// <param name="Seconds">The warm-up as it came out.</param>
/// <param name="Least">It lasts at least so many seconds.</param>
/// <param name="Bound">And at most so many, but for the piece of work that was being done.</param>
/// <param name="Why">Null when it was at rest.</param>
public sealed record RestState(bool AtRest, double Seconds, double Least, double Bound, Restlessness? Why)
{
    /// <summary>No launch takes longer.</summary>
    private const double MostSeconds = 1e6;

    /// <summary>As the launch says it, or null when that can't be true: it is a workload's word.</summary>
    public static RestState? From(JsonObject evidence) =>
        evidence["rest"] is JsonObject rest && rest["atRest"] is JsonValue said && said.TryGetValue<bool>(out var atRest)
            && Number(rest["seconds"]) is { } seconds && Number(rest["least"]) is { } least && Number(rest["bound"]) is { } bound
            && bound >= least && (atRest ? rest["why"] is null : Words.ContainsKey(JsonText.Of(rest["why"]) ?? ""))
            ? new(atRest, seconds, least, bound, atRest ? null : Words[JsonText.Of(rest["why"])!])
            : null;

    private static IReadOnlyDictionary<string, Restlessness> Words { get; } = new Dictionary<string, Restlessness>(StringComparer.Ordinal)
    {
        ["compiling"] = Restlessness.Compiling,
        ["trend"] = Restlessness.Trend,
    };

    private static double? Number(JsonNode? node) => JsonNumber.Of(node) is >= 0 and < MostSeconds and var number ? number : null;
}
