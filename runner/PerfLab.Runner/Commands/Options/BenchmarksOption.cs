using System.CommandLine;
using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Programs;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`--benchmarks head|FILE.cs`: whose benchmarks measure the library of every arm, where it is not each arm's own.</summary>
internal static class BenchmarksOption
{
    private const string Extension = ".cs";

    public static Option<string?> Create() => new(HeadBenchmarks.Option)
    {
        Description = "head: measure the library of every arm by head's benchmarks, for a commit that brings its own. "
            + "A file: by the benchmarks in it, which stand in place of the project's source files. A project only.",
        HelpName = "head|FILE.cs",
    };

    /// <summary>The text of the file; null where head was said, or nothing.</summary>
    /// <param name="asked">As typed.</param>
    /// <param name="terminal">In whose folder the file lies.</param>
    /// <param name="problems">Grows.</param>
    public static string? ReadSnippet(string? asked, Terminal terminal, ICollection<Problem> problems)
    {
        if (asked is null or HeadBenchmarks.Head)
        {
            return null;
        }

        var file = new FileInfo(Path.Combine(terminal.WorkingFolder, asked));
        var wrong = !asked.EndsWith(Extension, StringComparison.OrdinalIgnoreCase) ? $"takes head or a file of C#, not '{asked}'."
            : !file.Exists ? $"there is no file {file.FullName}."
            : file.Length is 0 or > SnippetFile.MostBytes
                ? Invariant($"{asked} has {file.Length} bytes; 1 to {SnippetFile.MostBytes} are read.")
            : null;
        if (wrong is not null)
        {
            problems.Add(new(HeadBenchmarks.Option, wrong, $"Example: --benchmarks {SnippetFile.Name}"));
            return null;
        }

        return File.ReadAllText(file.FullName);
    }
}
