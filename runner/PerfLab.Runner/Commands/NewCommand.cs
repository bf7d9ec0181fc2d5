using System.CommandLine;
using PerfLab.Building.Templates;
using PerfLab.Core.Model;
using PerfLab.Programs;

namespace PerfLab.Runner.Commands;

/// <summary>`new workload NAME`: a folder that can be run at once.</summary>
internal static class NewCommand
{
    public static Command Create(Terminal terminal)
    {
        var folder = new Argument<string>("folder")
        {
            Description = "The new folder, from where you stand; its name names the workload.",
            HelpName = "NAME",
        };
        var isBenchmarkDotNet = new Option<bool>("--bdn")
        {
            Description = "Methods that BenchmarkDotNet measures, in place of a program with the kit.",
        };
        var workload = Examples.Command(
            "workload",
            "Make a folder with a workload that builds, passes and can be compared at once: project, program, workload.yaml, README.",
            ["./perf-lab new workload fast-parse", "./perf-lab new workload bench/fast-parse --bdn"]).With(folder, isBenchmarkDotNet);
        workload.SetAction(parsed => Make(parsed.GetValue(folder)!,
            parsed.GetValue(isBenchmarkDotNet) ? WorkloadTemplate.BenchmarkDotNet : WorkloadTemplate.Kit, terminal));
        var command = Examples.Command("new", "Make something to begin with.", ["./perf-lab new workload fast-parse"]);
        command.Add(workload);
        return command;
    }

    private static int Make(string named, WorkloadTemplate template, Terminal terminal)
    {
        var folder = Path.GetFullPath(Path.Combine(terminal.WorkingFolder, named)).TrimEnd('/');
        if (Path.GetFileName(folder) is not { Length: > 0 } name || !name.Any(char.IsAsciiLetterOrDigit))
        {
            throw new WrongUseException(
                [new("NAME", $"'{named}' has no letter or digit for a name.", "Example: ./perf-lab new workload fast-parse")]);
        }

        if (File.Exists(folder) || (Directory.Exists(folder) && Directory.EnumerateFileSystemEntries(folder).Any()))
        {
            throw new WrongUseException(
                [new("NAME", $"{folder} is there already, and nothing is overwritten.", "Name a new folder.")]);
        }

        var relative = Path.GetRelativePath(terminal.WorkingFolder, folder);
        var isBelow = !relative.StartsWith("../", StringComparison.Ordinal) && !Path.IsPathRooted(relative);
        var place = isBelow ? "./" + relative : relative;
        Directory.CreateDirectory(folder);
        foreach (var (file, text) in template.Of(name, ShellWord.Of(place)))
        {
            File.WriteAllText(Path.Combine(folder, file), text);
            terminal.Out.WriteLine(Path.Combine(place, file));
        }

        terminal.Say($"next: ./perf-lab run {ShellWord.Of(place)} {template.FirstArms}    (20 rounds, about two minutes)");
        terminal.Say($"      then put your own work into {Path.Combine(place, template.Work)}; workloads/README.md has the contract");
        return ExitCode.Done;
    }
}
