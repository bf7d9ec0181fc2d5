using System.Text.RegularExpressions;

namespace PerfLab.Runner.Sessions;

/// <summary>The words of a `/benchmark` comment as the gate parsed them. Whether they name anything is for the planner.</summary>
/// <param name="Suite">Null when workloads are named.</param>
/// <param name="Machine">Null: the machine of perf-lab.yaml.</param>
/// <param name="Rounds">"screen+confirm"; null: the policy's.</param>
public sealed partial record RequestWords(
    string? Suite,
    IReadOnlyList<string> Workloads,
    IReadOnlyList<string> Runtimes,
    IReadOnlyList<string> Pgo,
    IReadOnlyList<string> Gc,
    IReadOnlyList<string> Frameworks,
    string? Machine,
    string? Rounds)
{
    private (string Member, string Dimension, IReadOnlyList<string> Values)[] Lists =>
        [("runtimes", "runtime", Runtimes), ("pgo", "pgo", Pgo), ("gc", "gc", Gc), ("frameworks", "framework", Frameworks)];

    public IReadOnlyDictionary<string, IReadOnlyList<string>> ToSet() => new SortedDictionary<string, IReadOnlyList<string>>(
        Lists.Where(list => list.Values.Count > 0).ToDictionary(list => list.Dimension, list => list.Values, StringComparer.Ordinal), StringComparer.Ordinal);

    public (int Screen, int Confirm)? RoundCounts()
    {
        if (Rounds?.Split('+') is not [var screen, var confirm])
        {
            return null;
        }

        return (int.Parse(screen, NumberStyles.None, CultureInfo.InvariantCulture), int.Parse(confirm, NumberStyles.None, CultureInfo.InvariantCulture));
    }

    internal string? WhatIsWrong() =>
        Suite is not null && !NameForm().IsMatch(Suite) ? "words.suite is not a name"
        : Machine is not null && !NameForm().IsMatch(Machine) ? "words.machine is not a name"
        : Rounds is not null && !RoundsForm().IsMatch(Rounds) ? "words.rounds is not S+C"
        : Pgo.Any(value => value is not ("on" or "off" or "full")) ? "words.pgo holds something else than on, off and full"
        : Lists.Append(("workloads", "", Workloads)).FirstOrDefault(list => list.Item3.Any(value => value is null || !ValueForm().IsMatch(value))).Item1 is { } member
            ? $"words.{member} holds something that is not a name" : null;

    [GeneratedRegex(@"^[a-z0-9][a-z0-9-]{0,63}\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex NameForm();

    [GeneratedRegex(@"^[A-Za-z0-9@.*_-]{1,64}\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex ValueForm();

    [GeneratedRegex(@"^[0-9]{1,3}\+[0-9]{1,3}\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex RoundsForm();
}
