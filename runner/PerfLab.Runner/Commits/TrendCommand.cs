using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Core.Trends;
using PerfLab.History;
using PerfLab.Programs;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Keeping;

namespace PerfLab.Runner.Commits;

/// <summary>`trend`: what changed over the sessions that were measured against an anchor.</summary>
internal static class TrendCommand
{
    public static Command Create(Terminal terminal)
    {
        var json = new Option<bool>("--json") { Description = "Print trend.json." };
        var forget = new Option<bool>("--forget")
        {
            Description = "Forget which changes are known and start again. Sessions and experiments are kept.",
        };
        var command = Examples.Command(
            "trend",
            "Find changes in the sessions that were measured against an anchor (`run … --anchor ARM`), and say how to confirm them.",
            ["./perf-lab trend", "./perf-lab trend --json"]).With(json, forget);
        command.Add(BackfillCommand.Create(terminal, store => Print(store, terminal, isJson: false)));
        command.SetAction(parsed =>
        {
            using var store = LabHistory.Open(Lab.Open(terminal).Config);
            if (parsed.GetValue(forget))
            {
                store.Forget();
            }

            Print(store, terminal, parsed.GetValue(json));
            return ExitCode.Done;
        });
        return command;
    }

    /// <summary>Looks, remembers what was seen, and says it.</summary>
    public static void Print(HistoryStore store, Terminal terminal, bool isJson)
    {
        var state = TrendLook.Look(store.TrendSeries(), store.State(), store.Experiments(), store.Accepted());
        store.Keep(state);
        terminal.Out.Write(isJson ? TrendState.File.Write(state)
            : terminal.InTheirWords(TrendText.Of(state)) + ForeignSteps.Of(store.Foreign()));
    }
}
