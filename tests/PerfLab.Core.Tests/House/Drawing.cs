namespace PerfLab.Core.Tests.House;

/// <summary>
/// The house as text, a line a folder: how many files, which folders it needs. Who needs more stands higher, so every arrow points down the page.
/// </summary>
internal static class Drawing
{
    /// <summary>From the roof down; what a project needs is what its project file refers to.</summary>
    public static string Of(Folders folders) => string.Join("\n\n", Projects.All.Keys
        .OrderByDescending(Height).ThenBy(project => project, StringComparer.Ordinal)
        .Select(project => Project(project, folders)));

    private static string Project(string project, Folders folders)
    {
        var rooms = folders.Names.Where(folder => folder == project || folder.StartsWith(project + ".", StringComparison.Ordinal)).ToHashSet();
        IEnumerable<string> Needs(string folder) => folders.Needs(folder).Where(rooms.Contains);
        string Short(string folder) => folder == project ? "(the folder itself)" : folder[(project.Length + 1)..].Replace('.', '/');
        // What follows from other arrows is left out: the drawing stays readable, and says the same.
        IEnumerable<string> Drawn(string folder) =>
            Needs(folder).Where(other => !Needs(folder).Any(between => between != other && folders.Reach(between).Contains(other)));
        return string.Join('\n', rooms
            .OrderByDescending(folder => folders.Reach(folder).Count).ThenBy(Short, StringComparer.Ordinal)
            .Select(folder => Line(
                $"  {Short(folder)}", folders.FilesOf(folder).Count.ToString(), Drawn(folder).Select(Short).Order(StringComparer.Ordinal)))
            .Prepend(Line(project, "", Projects.References(project).Select(other => other["PerfLab.".Length..]))));
    }

    private static string Line(string name, string files, IEnumerable<string> needs) =>
        $"{name,-26}{files,4}   {(needs.Any() ? "-> " + string.Join(", ", needs) : "")}".TrimEnd();

    private static int Height(string project) =>
        Projects.References(project).Select(other => Height(other) + 1).DefaultIfEmpty(0).Max();
}
