using PerfLab.Building.Manifests;
using PerfLab.Building.Tools;

namespace PerfLab.Building.Templates;

/// <summary>A new workload that builds and passes, with two ways of doing one thing, so that its first run has a verdict.</summary>
public static class WorkloadTemplate
{
    /// <summary>File in the new folder -> the text that it is made of, inside this assembly.</summary>
    private static readonly (string File, string Template)[] Files =
        [("$PROJECT.csproj", "project.txt"), ("Program.cs", "program.txt"), ("workload.yaml", "manifest.txt"), ("README.md", "readme.txt")];

    /// <summary>The arms to compare first, as the command line takes them.</summary>
    public const string FirstArms = "--base way=concat --head way=builder";

    /// <summary>The files by name. What the folder is called decides what the workload is called.</summary>
    public static IReadOnlyList<(string Name, string Text)> Of(string folderName)
    {
        var name = NameForm.Derive(folderName);
        var project = string.Concat(name.Split('-').Select(word => char.ToUpperInvariant(word[0]) + word[1..]));
        project = char.IsAsciiDigit(project[0]) ? "W" + project : project;
        return [.. Files.Select(file => (Filled(file.File), Filled(EmbeddedText.Read(file.Template))))];

        string Filled(string text) =>
            text.Replace("$PROJECT", project).Replace("$NAME", name).Replace("$FOLDER", folderName).Replace("$ARMS", FirstArms);
    }
}
