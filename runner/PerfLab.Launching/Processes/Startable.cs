namespace PerfLab.Launching.Processes;

/// <summary>Why a launch can't be started, found before anything is: one sentence for the person who wrote the manifest.</summary>
internal static class Startable
{
    public static string? Problem(LaunchSpec launch)
    {
        if (launch.Build.Image is not null)
        {
            return "a build of kind docker is an image, which the process executor can't start; use --executor docker";
        }

        if (!Directory.Exists(launch.Build.Folder))
        {
            return $"the build's folder is gone: {launch.Build.Folder}";
        }

        return launch.Command is [{ Length: > 0 }, ..] ? ProgramProblem(launch) : "the command is empty";
    }

    /// <summary>The program as exec wants it: a bare name is looked up in the workload's own PATH; null when it is nowhere.</summary>
    public static string? Program(LaunchSpec launch)
    {
        var name = launch.Command[0];
        if (name.Contains('/'))
        {
            return name;
        }

        return ProgramPath.Find(name, launch.Environment.FirstOrDefault(pair => pair.Key is "PATH").Value ?? "/usr/bin:/bin");
    }

    private static string? ProgramProblem(LaunchSpec launch)
    {
        var name = launch.Command[0];
        if (Program(launch) is not { } program)
        {
            return $"'{name}' is in no folder of the workload's PATH; a program of the build is written './{name}'";
        }

        var file = Path.Combine(launch.Build.Folder, program);
        if (!File.Exists(file))
        {
            return $"'{name}' does not exist in the build's folder {launch.Build.Folder}";
        }

        if (!ProgramPath.IsExecutable(file))
        {
            return $"'{name}' is not executable; chmod +x it, or name its interpreter in the command";
        }

        return !LooksRunnable(file) ? $"'{name}' is neither a program nor a script with a first line like '#!/bin/sh'"
            : Interpreter(file) is { } interpreter && !File.Exists(interpreter)
                ? $"'{name}' names {interpreter} in its first line, which does not exist"
            : null;
    }

    private static string? Interpreter(string file)
    {
        using var stream = File.OpenRead(file);
        var start = new byte[256]; // as far as the kernel reads it
        var count = stream.ReadAtLeast(start, start.Length, throwOnEndOfStream: false);
        var line = Encoding.UTF8.GetString(start, 0, count).Split('\n')[0];
        return line.StartsWith("#!", StringComparison.Ordinal)
            && line[2..].Split([' ', '\t', '\r'], StringSplitOptions.RemoveEmptyEntries) is [var first, ..] ? first : null;
    }

    public static bool LooksRunnable(string file)
    {
        Span<byte> start = stackalloc byte[4];
        using var stream = File.OpenRead(file);
        var count = stream.ReadAtLeast(start, start.Length, throwOnEndOfStream: false);
        return start[..count].StartsWith("\u007fELF"u8) || start[..count].StartsWith("#!"u8);
    }
}
