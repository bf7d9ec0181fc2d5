using PerfLab.Lab.Commands;
using PerfLab.Programs;

var terminal = Terminal.OfThisProcess(args);
using var interrupts = new InterruptSignals();
return await LabCommand.InvokeAsync(args, terminal, interrupts.Token);
