using System.CommandLine;
using PerfLab.Programs;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Commits;

namespace PerfLab.Runner.Commands;

/// <summary>From arguments to an exit code; the whole program as a function that tests call.</summary>
internal static class CommandLine
{
    public static Task<int> InvokeAsync(string[] arguments, Terminal terminal, CancellationToken cancellationToken) =>
        Invocation.RunAsync(Create(terminal), arguments, terminal, RemovedOptions.WhatNow, cancellationToken);

    /// <summary>Every command and option.</summary>
    internal static RootCommand Create(Terminal terminal) => Invocation.Root(
        "perf-lab: did this change make it slower, in which combination, by how much, and how sure are we?",
        terminal,
        DemoCommand.Create(terminal), ListCommand.Create(terminal), RunCommand.Create(terminal),
        PlanCommand.Create(terminal), BuildCommand.Create(terminal), MeasureCommand.Create(terminal),
        CompareCommand.Create(terminal), ReportCommand.Create(terminal), VerifyCommand.Create(terminal), ExplainCommand.Create(terminal),
        BisectCommand.Create(terminal),
        DiffCommand.Create(terminal), JitCommand.Create(terminal), HistoryCommand.Create(terminal), TrendCommand.Create(terminal), SiteCommand.Create(terminal),
        DoctorCommand.Create(terminal), LabProgram.Listed(), CleanCommand.Create(terminal),
        ImportCommand.Create(terminal), McpCommand.Create(terminal), NewCommand.Create(terminal), InitCommand.Create(terminal),
        TestCommand.Create(), CompletionCommand.Create(terminal));
}
