using System.Text.RegularExpressions;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Launching.Docker.Images;

/// <summary>
/// Scripts of `kind: none` that need an interpreter which our base images do not hold. Every launch of them would fail, so it is said
/// before anything is built.
/// </summary>
internal static partial class ScriptPrograms
{
    private const int MostOfFirstLine = 256;

    public static IReadOnlyList<Problem> Missing(RunPlan plan) =>
    [
        .. plan.Cells.SelectMany(cell => cell.Arms).Where(arm => arm.Recipe.Kind == BuildKind.None)
            .Select(arm => (arm.Recipe.Workload, Program: InterpreterOf(arm)))
            .Where(pair => pair.Program is not null && Interpreter().IsMatch(pair.Program)).Distinct()
            .Select(pair => new Problem(
                pair.Workload, $"starts {pair.Program}, and the containers hold a shell and its usual small programs only.",
                "Take --executor process, or `build: { kind: docker, dockerfile: Dockerfile }` with an image that has it.")),
    ];

    private static string? InterpreterOf(PlannedArm arm)
    {
        var program = arm.Command[0];
        return program.Contains('/') ? Interpreted(Path.Combine(arm.Recipe.Folder, program)) ?? Path.GetFileName(program) : program;
    }

    /// <summary>
    /// "python3" for a file that begins with #!/usr/bin/env python3 or #!/usr/bin/python3; null for any other, and for one that is not
    /// here.
    /// </summary>
    private static string? Interpreted(string file)
    {
        try
        {
            using var stream = FileKind.IsRegular(file) ? File.OpenRead(file) : Stream.Null;
            var start = new byte[MostOfFirstLine];
            var line = Encoding.UTF8.GetString(start, 0, stream.ReadAtLeast(start, start.Length, throwOnEndOfStream: false)).Split('\n')[0];
            return line.StartsWith("#!", StringComparison.Ordinal)
                ? line[2..].Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
                    .Select(word => Path.GetFileName(word)).FirstOrDefault(word => word != "env" && !word.StartsWith('-'))
                : null;
        }
        catch (Exception unreadable) when (unreadable is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    [GeneratedRegex(
        @"^(python[0-9.]*|perl[0-9.]*|ruby[0-9.]*|node|nodejs|deno|bun|php[0-9.]*|pwsh|dotnet|java|lua[0-9.]*|luajit|Rscript|julia"
        + @"|tclsh[0-9.]*|guile|racket|fish|zsh|ksh)\z",
        RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex Interpreter();
}
