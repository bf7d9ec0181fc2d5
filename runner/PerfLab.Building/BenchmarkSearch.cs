using System.Text.RegularExpressions;
using PerfLab.Building.Tools;
using PerfLab.Core.Files;

namespace PerfLab.Building;

/// <summary>From a folder or a solution to the one project in it that holds benchmarks of BenchmarkDotNet. Nothing is evaluated or built.</summary>
public static partial class BenchmarkSearch
{
    private const int MostNamed = 5;
    private static readonly string[] Solutions = [".sln", ".slnx"];

    public static bool IsSolution(string target) => Solutions.Any(end => target.EndsWith(end, StringComparison.OrdinalIgnoreCase));

    /// <summary>
    /// The project that is meant by a target: the target itself where it is no solution and no folder without a manifest of its own.
    /// </summary>
    /// <param name="target">Absolute path.</param>
    /// <param name="manifest">Name of the file that makes a folder a workload.</param>
    /// <param name="problems">Grows where none, or more than one, is meant.</param>
    public static string Meant(string target, string manifest, ICollection<Problem> problems)
    {
        if (!IsSolution(target) && (!Directory.Exists(target) || File.Exists(Path.Combine(target, manifest))))
        {
            return target;
        }

        if (IsSolution(target) && !File.Exists(target))
        {
            problems.Add(new(target, "there is no such solution."));
            return target;
        }

        var projects = IsSolution(target) ? InSolution(target) : InFolder(target);
        // The only project is meant, wherever its reference to BenchmarkDotNet comes from.
        var found = projects.Count == 1 ? projects : [.. projects.Where(RefersToBenchmarkDotNet)];
        if (found is [var only])
        {
            return only;
        }

        if (found.Count > 1)
        {
            problems.Add(Several(found, target));
        }
        else if (projects.Count > 0 || IsSolution(target))
        {
            problems.Add(new(target, Invariant($"none of its {projects.Count} projects refers to BenchmarkDotNet."),
                "Name the project that holds the benchmarks."));
        }

        return target;
    }

    /// <summary>Several projects, and none of them was named.</summary>
    /// <param name="projects">Two or more.</param>
    /// <param name="where">What was named.</param>
    public static Problem Several(IReadOnlyList<string> projects, string where) => new(where,
        $"several projects refer to BenchmarkDotNet: {string.Join(", ", projects.Take(MostNamed))}"
            + (projects.Count > MostNamed ? Invariant($" and {projects.Count - MostNamed} more.") : "."),
        $"Name one, for example {projects[0]}");

    /// <summary>Whether the project file itself names the package. A link, or a file above 1 MiB, is not read.</summary>
    public static bool RefersToBenchmarkDotNet(string project)
    {
        const int Longest = 1 << 20;
        try
        {
            return new FileInfo(project) is { Exists: true, LinkTarget: null, Length: < Longest }
                && File.ReadAllText(project).Contains("Include=\"BenchmarkDotNet\"", StringComparison.Ordinal);
        }
        catch (Exception unreadable) when (unreadable is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <summary>Those that lie in the folder; where none does, those that git knows below it.</summary>
    private static IReadOnlyList<string> InFolder(string folder)
    {
        List<string> here = [.. Directory.EnumerateFiles(folder).Where(BenchmarkProject.IsProject).Order(StringComparer.Ordinal)];
        return here.Count > 0 ? here
            : [.. ProjectsOf(new Git(folder)).Select(file => Path.Combine(folder, file))];
    }

    /// <summary>The project files that git knows, from its folder on.</summary>
    public static IReadOnlyList<string> ProjectsOf(Git git) => git.Files(BenchmarkProject.Extensions);

    /// <summary>Both formats write the paths of projects between quotes: .sln with backslashes, .slnx as XML.</summary>
    private static IReadOnlyList<string> InSolution(string solution) =>
        [.. Quoted().Matches(File.ReadAllText(solution)).Select(match => match.Groups["text"].Value.Replace('\\', '/'))
            .Where(BenchmarkProject.IsProject)
            .Select(path => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(solution)!, path))).Distinct(StringComparer.Ordinal)];

    [GeneratedRegex("\"(?<text>[^\"\r\n]+)\"", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Quoted();
}
