using PerfLab.Building.Manifests;
using PerfLab.Building.Tools;

namespace PerfLab.Building.Templates;

/// <summary>A new workload that builds and passes, and something to compare, so that its first run has a verdict.</summary>
public sealed class WorkloadTemplate
{
    private readonly (string File, string Template)[] _files;

    private WorkloadTemplate(string firstArms, string work, params (string File, string Template)[] files) =>
        (FirstArms, Work, _files) = (firstArms, work, files);

    /// <summary>A program that measures with the kit.</summary>
    public static WorkloadTemplate Kit { get; } = new(
        "--base way=concat --head way=builder", "Program.cs",
        ("$PROJECT.csproj", "kit-project.txt"), ("Program.cs", "kit-program.txt"), ("workload.yaml", "kit-manifest.txt"),
        ("README.md", "kit-readme.txt"));

    /// <summary>
    /// Methods that BenchmarkDotNet measures. The project's name has a second word, because one that is called like a package that it
    /// refers to does not restore.
    /// </summary>
    public static WorkloadTemplate BenchmarkDotNet { get; } = new(
        "--base pgo=off --head pgo=on", "Benchmarks.cs",
        ("$PROJECT.Benchmarks.csproj", "bdn-project.txt"), ("Benchmarks.cs", "bdn-benchmarks.txt"), ("Program.cs", "bdn-program.txt"),
        ("workload.yaml", "bdn-manifest.txt"), ("README.md", "bdn-readme.txt"));

    /// <summary>The arms to compare first, as the command line takes them.</summary>
    public string FirstArms { get; }

    /// <summary>The file in which a person goes on.</summary>
    public string Work { get; }

    /// <summary>The files by name.</summary>
    /// <param name="folderName">Decides what the workload is called.</param>
    /// <param name="place">The folder as one types it from where one stands, for a shell: the README shows how to run it.</param>
    public IReadOnlyList<(string Name, string Text)> Of(string folderName, string place)
    {
        var name = NameForm.Derive(folderName);
        var project = string.Concat(name.Split('-').Select(word => char.ToUpperInvariant(word[0]) + word[1..]));
        project = char.IsAsciiDigit(project[0]) ? "W" + project : project;
        return [.. _files.Select(file => (Filled(file.File), Filled(EmbeddedText.Read(file.Template))))];

        string Filled(string text) =>
            text.Replace("$PROJECT", project).Replace("$NAME", name).Replace("$FOLDER", place).Replace("$ARMS", FirstArms);
    }
}
