namespace PerfLab.Runner.Tests.Azure.Simulation;

/// <summary>The promise: no machine outlives its lease by more than 35 min while GitHub works, nor the daily shutdown while it doesn't.</summary>
public sealed class CostLayerTests
{
    private static readonly TimeSpan Promise = TimeSpan.FromMinutes(35);

    private static async Task<SimulationResult> SimulateAsync(SimulationPlan plan)
    {
        using var simulation = new LabSimulation(plan);
        return await simulation.RunAsync();
    }

    [Theory]
    [InlineData(Layers.LabDown, "lab-down", -1000, 5)]
    [InlineData(Layers.Watchdog, "watchdog", -1000, 35)]
    [InlineData(Layers.Reaper, "reaper", -1000, 35)]
    [InlineData(Layers.DailyShutdown, "daily shutdown", 0, 24 * 60)]
    public async Task Each_layer_ends_a_machine_when_all_others_are_dead(Layers alive, string by, int earliest, int latest)
    {
        var result = await SimulateAsync(new(Seed: 1, Requests: 1, Days: 1) { Alive = alive, Rates = new FaultRates().Times(0) });

        var end = result.Ends.ShouldHaveSingleItem();
        end.By.ShouldBe(by);
        end.AfterLease!.Value.TotalMinutes.ShouldBeInRange(earliest, latest);
        // Azure's own shutdown deallocates: the disk and the address wait for whoever comes next.
        result.FinalPower.ShouldBe(alive is Layers.DailyShutdown ? "deallocated" : "empty");
    }

    [Fact]
    public async Task Without_any_layer_the_machine_runs_on_and_the_simulation_notices()
    {
        var result = await SimulateAsync(new(Seed: 1, Requests: 1, Days: 1) { Alive = Layers.None, Rates = new FaultRates().Times(0) });

        result.Ends.ShouldBeEmpty();
        result.FinalPower.ShouldBe("running");
    }

    [Fact]
    public async Task No_machine_outlives_its_lease_by_more_than_35_minutes_while_GitHub_works()
    {
        var latest = TimeSpan.Zero;
        for (var seed = 0; seed < (Nightly.IsAsked ? 60 : 20); seed++)
        {
            // The reaper is GitHub's; lab-down and the watchdog are dead in three of four worlds, and everything fails six times as often.
            var alive = Layers.Reaper | Layers.DailyShutdown | ((seed & 1) != 0 ? Layers.LabDown : Layers.None) | ((seed & 2) != 0 ? Layers.Watchdog : Layers.None);
            var result = await SimulateAsync(new(seed, Requests: 8, Days: 1) { Alive = alive, Rates = new FaultRates().Times(6) });

            result.Ends.ShouldNotBeEmpty();
            result.Ends.ShouldAllBe(end => end.AfterLease == null || end.AfterLease <= Promise, $"seed {seed}, alive {alive}: {string.Join("; ", result.Ends)}");
            result.FinalPower.ShouldBe("empty", $"seed {seed}, alive {alive}");
            result.Left.ShouldBeEmpty($"seed {seed}, alive {alive}");
            latest = result.Ends.Max(end => end.AfterLease ?? TimeSpan.Zero) is var late && late > latest ? late : latest;
        }

        latest.ShouldBeGreaterThan(TimeSpan.FromMinutes(20), "else nothing came near the promise, and the test proved little");
    }

    [Fact]
    public async Task No_machine_outlives_the_daily_shutdown_while_GitHub_does_not_work()
    {
        for (var seed = 0; seed < 20; seed++)
        {
            var alive = Layers.DailyShutdown | ((seed & 1) != 0 ? Layers.Watchdog : Layers.None);
            var result = await SimulateAsync(new(seed, Requests: 4, Days: 1) { Alive = alive, Rates = new FaultRates().Times(3) });

            foreach (var end in result.Ends)
            {
                var leaseEnd = end.At - (end.AfterLease ?? TimeSpan.Zero);
                var shutdown = leaseEnd.Date.AddHours(leaseEnd.Hour < 3 ? 3 : 27);
                end.At.UtcDateTime.ShouldBeLessThanOrEqualTo(shutdown.AddMinutes(5), $"seed {seed}, alive {alive}: {end}");
            }

            result.FinalPower.ShouldBeOneOf("deallocated", "empty");
        }
    }
}
