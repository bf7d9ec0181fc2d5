using PerfLab.Core.Files;

namespace PerfLab.Launching.Processes;

/// <summary>Finds the program of a command that somebody typed, as a shell standing in a folder would.</summary>
public static class CommandProgram
{
    /// <summary>Its absolute path, or null with a problem added.</summary>
    /// <param name="option">Who named it, for the problem.</param>
    /// <param name="word">The first word of the command.</param>
    /// <param name="folder">Where the person stands.</param>
    /// <param name="path">The person's PATH; null when there is none.</param>
    /// <param name="problems">Grows.</param>
    public static string? Find(string option, string word, string folder, string? path, ICollection<Problem> problems)
    {
        var file = word.Contains('/') ? Path.GetFullPath(Path.Combine(folder, word)) : ProgramPath.Find(word, path ?? "/usr/bin:/bin");
        var (what, toDo) = file is null ? ($"'{word}' is in no folder of your PATH.", NotInPath(word, folder))
            : Directory.Exists(file) ? ($"'{word}' is a folder.", "Name the program in it.")
            : !File.Exists(file) ? ($"there is no {file}.", "Check the path; it starts where you stand.")
            : !ProgramPath.IsExecutable(file) ? ($"{file} is not executable.", "chmod +x it, or name its interpreter: 'python3 run.py'.")
            : Startable.LooksRunnable(file) ? ("", "")
            : ($"{file} is neither a program nor a script with a first line like '#!/bin/sh'.", "Add that line, or name its interpreter.");
        if (what.Length > 0)
        {
            problems.Add(new(option, what, toDo));
        }

        return what.Length == 0 ? file : null;
    }

    private static string NotInPath(string word, string folder) =>
        File.Exists(Path.Combine(folder, word)) ? $"A program of this folder is written './{word}'." : "Write its path, or install it.";
}
