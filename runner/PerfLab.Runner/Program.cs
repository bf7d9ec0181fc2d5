using PerfLab.Runner.Commands;
using PerfLab.Runner.Terminals;

// The launcher says where the repository is; a published runner looks for perf-lab.yaml from here upwards.
var workingFolder = Directory.GetCurrentDirectory();
var root = Environment.GetEnvironmentVariable("PERF_LAB_ROOT") is { } named ? Path.GetFullPath(named) : LabRoot.FindFrom(workingFolder);
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
if (Environment.GetEnvironmentVariable("PERF_LAB_PROGRAM") is { Length: > 0 } program)
{
    terminal = terminal with { Program = program };
}

using var interrupts = new InterruptSignals();
return await CommandLine.InvokeAsync(args, terminal, interrupts.Token);
