using PerfLab.Building.Changes;
using PerfLab.Core.Model;

namespace PerfLab.Runner.Flow.Benchmarks;

/// <summary>A difference of two builds in words. Names come from assemblies: hostile.</summary>
internal static class DiffText
{
    private const int MostListed = 100;

    public static IEnumerable<string> Lines(BuildDiff diff)
    {
        if (diff.Change is not { } change)
        {
            return [$"{diff.Build}: {diff.Why}"];
        }

        return
        [
            $"{diff.Build}: {Summary(change)}",
            .. change.Everything.Select(why => $"  everything has to be measured: {UntrustedText.Line(why)}"),
            .. List("methods", change.Methods),
            .. List("types", change.Types),
            .. change.IsReflected ? ["  metadata that only reflection sees"] : Array.Empty<string>(),
            .. change.Assemblies.Count > 0 ? [$"  in {UntrustedText.Line(string.Join(", ", change.Assemblies))}"] : Array.Empty<string>(),
        ];
    }

    private static string Summary(BuildChange change) =>
        change.IsNothing ? change.Assemblies.Count == 0 ? "the same bits" : "the same code, compiled again"
        : change.Methods.Count == 0 && change.Types.Count == 0 ? "no method changed"
        : Invariant($"{Counted.Of(change.Methods.Count, "method")} and {Counted.Of(change.Types.Count, "type")} differ");

    private static IEnumerable<string> List(string what, IReadOnlyList<ChangedPart> parts) =>
        parts.Count == 0 ? [] :
        [
            $"  {what}:",
            .. parts.Take(MostListed).Select(part => $"    {Sign(part.Kind)} {UntrustedText.Line(part.Id)}"),
            .. parts.Count > MostListed ? [Invariant($"    and {parts.Count - MostListed} more")] : Array.Empty<string>(),
        ];

    private static char Sign(ChangeKind kind) => kind switch { ChangeKind.Added => '+', ChangeKind.Removed => '-', _ => '~' };
}
