using System.Globalization;
using System.Text;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Runner.Tests.Azure.Simulation;

/// <summary>Holds results/simulated-month.md against a new run.</summary>
public sealed class MonthTests
{
    private const double PricePerHour = 0.19;

    [Fact]
    public async Task The_simulated_month_is_what_the_documentation_says()
    {
        Nightly.Only("15 seconds");
        using var simulation = new LabSimulation(new SimulationPlan(Seed: 20261102, Requests: 500, Days: 30) { GitHubOutage = (150, 155) });
        var result = await simulation.RunAsync();
        var text = Page(result);
        result.Ends.ShouldAllBe(end => end.AfterLease == null || end.AfterLease <= TimeSpan.FromMinutes(35));
        result.FinalPower.ShouldBe("empty");
        result.Left.ShouldBeEmpty();
        Golden.ShouldMatch(text, "results/simulated-month.md");
    }

    private static string Page(SimulationResult result)
    {
        var text = new StringBuilder();
        var culture = CultureInfo.InvariantCulture;
        var hours = result.Billed.TotalHours;
        var money = hours * PricePerHour;
        var measured = result.Requests.GetValueOrDefault("measured");
        var total = result.Requests.Values.Sum();
        text.Append("# A simulated month: 500 requests, random faults\n\n");
        text.Append("Made by `MonthTests` (seed 20261102), which fails when this page is not what comes out. The layers are the real code through the real Azure SDK with a fake\n");
        text.Append("clock; Azure, GitHub and the work are simulated, with fault rates that we chose (`FaultRates`), not observed. It shows what the layers do\n");
        text.Append("with faults, not how often real ones happen. One Standard_D4s_v5 at an assumed 0.19 an hour; its disk and its address are not in it.\n");
        text.Append("Within the month GitHub starts nothing for 5 hours.\n\n");
        text.Append("| request ended | how many |\n|---|---|\n");
        foreach (var (outcome, count) in result.Requests.OrderByDescending(pair => pair.Value).ThenBy(pair => pair.Key, StringComparer.Ordinal))
        {
            text.Append(culture, $"| {outcome} | {count} |\n");
        }

        text.Append("\n| layer | machines it ended | of these after the lease | latest after the lease |\n|---|---|---|---|\n");
        foreach (var (caller, name) in new[] { ("lab-up", "0 `lab-up`, after a start that failed"), ("lab-down", "1 `lab-down`"), ("watchdog", "2 watchdog"), ("reaper", "3 reaper"), ("daily shutdown", "4 daily shutdown") })
        {
            var ends = result.Ends.Where(end => end.By == caller).ToList();
            var late = ends.Where(end => end.AfterLease > TimeSpan.Zero).ToList();
            text.Append(culture, $"| {name} | {ends.Count} | {late.Count} | {(late.Count == 0 ? "-" : string.Create(culture, $"{late.Max(end => end.AfterLease!.Value.TotalMinutes):0.0} min"))} |\n");
        }

        text.Append(culture, $"\nLatest end after a lease: {result.Ends.Where(end => end.AfterLease > TimeSpan.Zero).Select(end => end.AfterLease!.Value.TotalMinutes).DefaultIfEmpty(0).Max():0.0} min (promised: 35).\n");
        text.Append(culture, $"{result.DeletesThatLeft} deletions failed half-way and left card, address and disk; at the end {result.Left.Count} things of no machine are left.\n");
        text.Append(culture, $"Azure was called {result.AzureCalls} times, {result.AzureFaults} answers were bad.\n");
        text.Append(culture, $"Billed: {hours:0.0} h = {money:0.00}, {money / total:0.000} a request, {money / measured:0.000} a measured request; always on it would be {30 * 24 * PricePerHour:0.00}.\n");
        return text.ToString();
    }
}
