using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Core.Profiles;

/// <summary>
/// Tells a cost that is new from one that only stands elsewhere: a method that is inlined in one arm costs nothing there, and its caller
/// costs as much more.
/// </summary>
internal static class MovedCost
{
    /// <summary>
    /// Whether the method and all that it calls or is called by cost together what they did: the interval of their sum holds 0, and not the
    /// method's own change. Where it holds both nobody can say.
    /// </summary>
    public static bool OnlyMoved(
        string method, ProfileKind kind, double change, IReadOnlyList<(LaunchProfile Reference, LaunchProfile Arm)> rounds)
    {
        var around = rounds.SelectMany(round => (LaunchProfile[])[round.Reference, round.Arm])
            .SelectMany(profile => profile.Of(kind)).SelectMany(stack => Around(method, stack.Frames)).ToHashSet(StringComparer.Ordinal);
        double Own(LaunchProfile profile) => profile.Of(kind).Where(stack => around.Contains(stack.Frames[^1])).Sum(stack => stack.Weight);
        var differences = rounds.Select(round => Own(round.Arm) - Own(round.Reference)).ToList();
        // In parts of the change, so that the test's resolution is far below it.
        return around.Count > 1 && new WalshAverages([.. differences.Select(one => one / change)]).Interval(ProfileComparison.Coverage)
            is { Low: <= 0, High: >= 0 and < 1 };
    }

    private static IEnumerable<string> Around(string method, IReadOnlyList<string> frames)
    {
        for (var index = 0; index < frames.Count; index++)
        {
            if (frames[index] == method)
            {
                yield return method;
                if (index > 0)
                {
                    yield return frames[index - 1];
                }

                if (index + 1 < frames.Count)
                {
                    yield return frames[index + 1];
                }
            }
        }
    }
}
