using System.Security.Cryptography;

namespace PerfLab.Building;

/// <summary>The file of a snippet: benchmarks in C# that stand in place of a project's own source files.</summary>
public static class SnippetFile
{
    /// <summary>What errors call it, and what a person is told to save it as.</summary>
    public const string Name = "snippet.cs";

    /// <summary>Longer ones are no snippets. In bytes.</summary>
    public const int MostBytes = 1 << 20;

    /// <summary>Only there are its source files a list that MSBuild can empty.</summary>
    public static bool FitsInto(string project) => project.EndsWith(".csproj", StringComparison.OrdinalIgnoreCase);

    /// <summary>What the report says of it.</summary>
    internal static string Note(string snippet) =>
        "benchmarks in C# stand in place of the project's source files "
            + $"(SHA-256 {Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(snippet)))})";

    /// <summary>What MSBuild said, with the file by its name: where it lies says nothing, and is gone afterwards.</summary>
    internal static string Shortened(string output, string? path) =>
        path is null ? output : output.Replace(path, Name, StringComparison.Ordinal);
}
