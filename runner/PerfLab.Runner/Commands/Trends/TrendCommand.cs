using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Core.Trends;
using PerfLab.Core.Trends.Simulated;
using PerfLab.History;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Keeping;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Commands.Trends;

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
        var simulate = new Option<bool>("--simulate")
        {
            Description = "Replay a made-up year with known changes instead: what was found, when, and falsely.",
        };
        var seed = new Option<long?>("--seed") { Description = "Seed of the made-up year.", HelpName = "N" };
        seed.Validators.Add(result =>
        {
            if (result.Tokens is [var token]
                && !(ulong.TryParse(token.Value, NumberStyles.None, CultureInfo.InvariantCulture, out _) && result.GetValue(simulate)))
            {
                result.AddError("--seed goes with --simulate, and is not negative.");
            }
        });
        var command = Examples.Command(
            "trend",
            "Find changes in the sessions that were measured against an anchor (`run … --anchor ARM`), and say how to confirm them.",
            ["./perf-lab trend", "./perf-lab trend --simulate --seed 7"]).With(json, forget, simulate, seed);
        command.SetAction(parsed =>
        {
            if (parsed.GetValue(simulate))
            {
                var settings = new YearSettings();
                var year = Year.Replay(settings with { Seed = (ulong)(parsed.GetValue(seed) ?? (long)settings.Seed) });
                terminal.Out.Write(parsed.GetValue(json) ? TrendState.File.Write(year.Last) : YearText.Of(year));
                return ExitCode.Done;
            }

            using var store = LabHistory.Open(Lab.Open(terminal).Config);
            if (parsed.GetValue(forget))
            {
                store.Forget();
            }

            var state = TrendLook.Look(store.TrendSeries(), store.State(), store.Experiments(), store.Accepted());
            store.Keep(state);
            terminal.Out.Write(parsed.GetValue(json) ? TrendState.File.Write(state) : terminal.InTheirWords(TrendText.Of(state)));
            return ExitCode.Done;
        });
        return command;
    }
}
