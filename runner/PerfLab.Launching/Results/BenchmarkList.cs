using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Launching.Results;

/// <summary>The benchmarks of a build, as the driver in it finds them. Hostile: the project's own code runs while it looks.</summary>
/// <param name="Problems">What it could not list, one sentence each.</param>
public sealed record BenchmarkList(IReadOnlyList<ListedBenchmark> Benchmarks, IReadOnlyList<string> Problems)
{
    /// <summary>More rows than that nobody could read, and none would be told from noise.</summary>
    public const int MostBenchmarks = 10_000;

    /// <summary>What is said of a program that was stopped because it still looked for benchmarks.</summary>
    public const string TooLate = "did not end in its time and was stopped";

    private const int MostProblems = 100;

    private static readonly FileFormat<BenchmarkList> File = new("", "the list of benchmarks") { IsForeign = true, MostBytes = 16 << 20 };

    /// <summary>The names that can be measured, each once, in the order of the types; or why there are none.</summary>
    public static (BenchmarkList? List, string? Why) Read(LaunchEnd end)
    {
        if (end is not { How: EndKind.Exited, ExitCode: 0 })
        {
            var how = end.How switch
            {
                EndKind.Exited => Invariant($"ended with exit code {end.ExitCode}"),
                EndKind.TimedOut => TooLate,
                _ => $"did not end by itself ({end.Reason ?? end.How.ToString()})",
            };
            return (null, $"the program that lists them {how}: {Quote.Of(FirstLine(BenchmarkTail.Of(end.Tail)), 400)}");
        }

        var (bytes, problem) = ResultFile.Read(new LeftFile(end.ResultFile, "the list of benchmarks", File.MostBytes));
        if (bytes is null)
        {
            return (null, problem ?? "the program that lists them left no list");
        }

        var (list, faults) = File.Read(bytes);
        return list is null ? (null, string.Join("; ", faults.Take(3))) : (Cleaned(list), null);
    }

    /// <summary>Only names that can be shown and told apart, and no more than <see cref="MostBenchmarks"/>; what is left out is a problem.</summary>
    /// <param name="list">From whoever may have changed it.</param>
    public static BenchmarkList Cleaned(BenchmarkList list)
    {
        var good = list.Benchmarks.Where(benchmark => IsName(benchmark.Name))
            .DistinctBy(benchmark => benchmark.Name, StringComparer.Ordinal).ToList();
        var strange = list.Benchmarks.Count(benchmark => !IsName(benchmark.Name));
        return new(
            [.. good.Take(MostBenchmarks).Select(benchmark => benchmark with { Categories = [.. benchmark.Categories.Where(IsName)] })],
            [
                .. list.Problems.Take(MostProblems).Select(problem => Quote.Of(problem, 400)),
                .. strange > 0 ? [Unnamed(strange)] : Array.Empty<string>(),
                .. good.Count > MostBenchmarks ? [Invariant($"only the first {MostBenchmarks} of {good.Count}")] : Array.Empty<string>(),
            ]);
    }

    private static string Unnamed(int count) =>
        Invariant($"{count} have a name that is longer than {BenchmarkCases.LongestName} characters or can't be written: ")
        + "give their parameters shorter texts";

    // It becomes a variable of a launch and a row of a report: nothing that ends a line, turns its direction or is no character at all.
    private static bool IsName(string name) =>
        name.Length is > 0 and <= BenchmarkCases.LongestName && name.EnumerateRunes().All(rune => rune != Rune.ReplacementChar
            && Rune.GetUnicodeCategory(rune) is not (UnicodeCategory.Control or UnicodeCategory.Format
                or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator));

    private static string FirstLine(string text) => text.Split('\n').Select(line => line.Trim())
        .FirstOrDefault(line => line.Length > 0) ?? "it said nothing";
}

/// <param name="Name">"Namespace.Type.Method(parameter: value)".</param>
/// <param name="Categories">Those of the method and its type.</param>
public sealed record ListedBenchmark(string Name, IReadOnlyList<string> Categories);
