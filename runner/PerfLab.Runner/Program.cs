using PerfLab.Runner.Commands;

// The launcher says where the repository is; a published runner looks for perf-lab.yaml from here upwards.
var workingFolder = Directory.GetCurrentDirectory();
var root = Environment.GetEnvironmentVariable("PERF_LAB_ROOT") ?? LabRoot.FindFrom(workingFolder);
var terminal = new Terminal
{
    Out = Console.Out,
    Error = Console.Error,
    IsOutInteractive = !Console.IsOutputRedirected,
    IsErrorInteractive = !Console.IsErrorRedirected,
    Width = Console.IsOutputRedirected ? 120 : Math.Max(80, Console.WindowWidth),
    Root = root,
    WorkingFolder = workingFolder,
};
using var interrupts = new InterruptSignals();
return await CommandLine.InvokeAsync(args, terminal, interrupts.Token);
