using System.ComponentModel.DataAnnotations;
using PerfLab.Core.Model;

namespace PerfLab.Runner.Sessions;

/// <summary>The words of a `/benchmark` comment as the gate parsed them. Whether they name anything is for the planner.</summary>
/// <param name="Suite">Null when workloads are named.</param>
/// <param name="Filters">Globs over the full names of benchmarks; none: all.</param>
/// <param name="Categories">Of which a benchmark must be in one; none: all benchmarks.</param>
/// <param name="Machine">Null: the machine of perf-lab.yaml.</param>
/// <param name="Rounds">"screen+confirm"; null: the policy's.</param>
/// <param name="Sessions">How often what is flagged is measured; null: as often as perf-lab.yaml says and the budget allows.</param>
/// <param name="WarmUp">Least warm-up of a launch in seconds; null: the workload's.</param>
/// <param name="Sdk">"current": every arm is built by the newest SDK that is here; null: by the one that its commit asks for.</param>
/// <param name="Within">Minutes of measuring, until rows are decided; null: every row gets its rounds.</param>
internal sealed record RequestWords(
    [RegularExpression(RequestWords.Name, ErrorMessage = "a name")] string? Suite,
    [RegularExpression(RequestWords.Value, ErrorMessage = "a name")] IReadOnlyList<string> Workloads,
    [RegularExpression(RequestWords.Value, ErrorMessage = "a runtime's name")] IReadOnlyList<string> Runtimes,
    [AllowedValues("off", "on", "full")] IReadOnlyList<string> Pgo,
    [RegularExpression(RequestWords.Value, ErrorMessage = "a name")] IReadOnlyList<string> Gc,
    [RegularExpression(RequestWords.Value, ErrorMessage = "a framework's name")] IReadOnlyList<string> Frameworks,
    [RegularExpression(RequestWords.Glob, ErrorMessage = "a glob over a benchmark's name")] IReadOnlyList<string> Filters,
    [RegularExpression(RequestWords.Category, ErrorMessage = "a category of benchmarks")] IReadOnlyList<string> Categories,
    [RegularExpression(RequestWords.Name, ErrorMessage = "a name")] string? Machine,
    [RegularExpression(@"^[0-9]{1,3}\+[0-9]{1,3}$", ErrorMessage = "rounds, as in 8+20")] string? Rounds,
    [Range(1, Policy.MostRepeats + 1)] int? Sessions,
    [Range(0.001, 3600)] double? WarmUp,
    [AllowedValues("current")] string? Sdk,
    [Range(0.001, Policy.MostMinutes)] double? Within)
{
    private const string Name = "^[a-z0-9][a-z0-9-]{0,63}$";
    private const string Value = "^[A-Za-z0-9@.*_-]{1,64}$";
    private const string Category = "^[A-Za-z0-9._+-]{1,64}$";
    private const string Glob = "^[A-Za-z0-9.*?_+-]{1,200}$";

    public IReadOnlyDictionary<string, IReadOnlyList<string>> ToSet()
    {
        (string Dimension, IReadOnlyList<string> Values)[] lists = [("runtime", Runtimes), ("pgo", Pgo), ("gc", Gc), ("framework", Frameworks)];
        var chosen = lists.Where(list => list.Values.Count > 0).ToDictionary(list => list.Dimension, list => list.Values, StringComparer.Ordinal);
        return new SortedDictionary<string, IReadOnlyList<string>>(chosen, StringComparer.Ordinal);
    }

    public (int Screen, int Confirm)? RoundCounts()
    {
        if (Rounds?.Split('+') is not [var screen, var confirm])
        {
            return null;
        }

        return (int.Parse(screen, CultureInfo.InvariantCulture), int.Parse(confirm, CultureInfo.InvariantCulture));
    }
}
