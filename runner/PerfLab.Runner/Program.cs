using PerfLab.Building.Manifests;
using PerfLab.Runner.Commands;
using PerfLab.Runner.Terminals;

// The launcher says where the repository is; a published runner looks for perf-lab.yaml from here upwards.
var workingFolder = Directory.GetCurrentDirectory();
var root = Environment.GetEnvironmentVariable("PERF_LAB_ROOT") is { } named ? Path.GetFullPath(named) : LabRoot.FindFrom(workingFolder, args);
var terminal = new Terminal
{
    Out = Console.Out,
    Error = Console.Error,
    Style = TerminalStyle.OfStandardOutput(),
    IsErrorInteractive = !Console.IsErrorRedirected,
    ErrorWidth = TerminalStyle.ConsoleWidth,
    Root = root,
    WorkingFolder = workingFolder,
};

// How to type it again: the launcher says how it was called, and a tool is on the path.
var typed = Environment.GetEnvironmentVariable("PERF_LAB_PROGRAM") ?? (InstalledLab.Folder is null ? null : "perf-lab");
if (typed is { Length: > 0 } program)
{
    terminal = terminal with { Program = program };
}

using var interrupts = new InterruptSignals();
return await CommandLine.InvokeAsync(args, terminal, interrupts.Token);
