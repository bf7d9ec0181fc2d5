using PerfLab.Programs;
using PerfLab.Runner.Commands;

// Before anything else, so that nothing of this program is left in it.
if (LabProgram.IsMeant(args))
{
    return LabProgram.Become(args);
}

using var interrupts = new InterruptSignals();
return await CommandLine.InvokeAsync(args, Terminal.OfThisProcess(args), interrupts.Token);
