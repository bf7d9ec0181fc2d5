using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Planning;

/// <summary>
/// Knobs that nobody had to choose. Every knob is set in every launch, so on-stack replacement differs between .NET 3.1 and 10, and precompiled
/// code between PGO on and full: consequences, which a name would only repeat. Read off the values alone, so that it holds for journals made elsewhere.
/// </summary>
public static class FollowingKnobs
{
    /// <summary>
    /// The knobs that have, in every one of these arms, the value that follows from the arm's runtime and the knobs declared before them
    /// (<see cref="Knob.Default"/>). Two arms that differ in such a knob differ in one of those, too: leaving it out never makes two names the same.
    /// A knob that deviates in one arm was chosen there, and is worth a word in all of them.
    /// </summary>
    /// <param name="arms">For each arm the value of every dimension, the cell's and its own.</param>
    public static IReadOnlySet<string> Of(IReadOnlyCollection<IReadOnlyDictionary<string, string>> arms) =>
        RuntimeKnobs.All.Where(knob => arms.All(values => Follows(knob, values))).Select(knob => knob.Name).ToHashSet(StringComparer.Ordinal);

    // No default looks at the number of cores.
    private static bool Follows(Knob knob, IReadOnlyDictionary<string, string> values) =>
        values.TryGetValue(knob.Name, out var value) && value == knob.Default(new(Release(values), 1, values));

    private static string? Release(IReadOnlyDictionary<string, string> values) =>
        values.TryGetValue(WorkloadDimensions.Runtime, out var runtime) ? ResolvedRuntime.ReleaseOf(runtime) : null;
}
