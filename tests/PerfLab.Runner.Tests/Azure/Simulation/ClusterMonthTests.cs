using PerfLab.Core.Model;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure.Simulation;

/// <summary>A month of a cluster whose owners forget it every second time, under random faults: the reaper is all that keeps the promise.</summary>
public sealed class ClusterMonthTests
{
    private static readonly TimeSpan Promise = TimeSpan.FromMinutes(35);
    private readonly PowerLimits limits = new();

    [Theory]
    [InlineData(true)]
    [NightlyData(false)]
    public async Task No_cluster_outlives_its_lease_by_more_than_35_minutes_while_GitHub_works(bool takesTagsWhenStopped)
    {
        var latest = TimeSpan.Zero;
        for (var seed = 0; seed < (Nightly.IsAsked ? 4 : 2); seed++)
        {
            var month = new Month(seed, takesTagsWhenStopped, limits);
            await month.RunAsync();

            month.Late.ShouldAllBe(late => late <= Promise, $"seed {seed}: {string.Join("; ", month.Late)}");
            month.Starts.ShouldBeGreaterThan(10);
            month.Cluster.IsOff.ShouldBeTrue($"seed {seed}");
            latest = month.Late.Append(latest).Max();
        }

        latest.ShouldBeGreaterThan(TimeSpan.FromMinutes(20), "else nothing came near the promise, and the test proved little");
    }

    [Fact]
    public async Task Without_the_reaper_a_forgotten_cluster_runs_on_and_the_simulation_notices()
    {
        var month = new Month(seed: 1, takesTagsWhenStopped: true, limits) { ReaperLives = false };
        await month.RunAsync();

        month.Late.ShouldContain(late => late > Promise);
    }

    private sealed class Month
    {
        private readonly FakeTimeProvider clock = FakeTimeProvider.AtTheStart();
        private readonly Random random;
        private readonly MachineStart start;
        private readonly MachineStop stop;
        private readonly Reaper reaper;
        private readonly AzureCluster cluster = FakeClusterInAzure.Cluster();
        private Lease? promised;

        public Month(int seed, bool takesTagsWhenStopped, PowerLimits limits)
        {
            random = new Random(seed);
            var azure = new FakeAzure(clock);
            Cluster = azure.AddCluster();
            Cluster.TakesTagsWhenStopped = takesTagsWhenStopped;
            var weather = new AzureWeather(new Random(seed + 1), new FaultRates().Times(4));
            azure.Faults.Add(weather.Answer);
            var access = azure.AccessFor("lab-power");
            var power = new AzurePower(new ScaleSets(access, clock, limits, _ => { }), new Clusters(access, clock, limits, _ => { }));
            stop = new MachineStop(power, clock, limits, _ => { });
            start = new MachineStart(power, stop, clock, limits, _ => { });
            reaper = new Reaper(power, stop, clock, limits);
        }

        public bool ReaperLives { get; init; } = true;
        public FakeClusterInAzure Cluster { get; }
        public int Starts { get; private set; }

        /// <summary>How long after the end of a lease the cluster stopped; once for each lease that it outlived.</summary>
        public List<TimeSpan> Late { get; } = [];

        public async Task RunAsync()
        {
            var over = false;
            // Each begins at its own millisecond: nothing depends on which thread was faster.
            List<Task> actors = [ActAsync(1, OwnAsync), ActAsync(2, ReapAsync)];
            await clock.RunAsync(actors);
            await Task.WhenAll(actors);

            Task ActAsync(int milliseconds, Func<Func<bool>, Task> actor) => Task.Run(async () =>
            {
                await Task.Delay(TimeSpan.FromMilliseconds(milliseconds), clock);
                await actor(() => over);
                over = true;
            });
        }

        private async Task OwnAsync(Func<bool> isOver)
        {
            var end = clock.GetUtcNow().AddDays(30);
            while (clock.GetUtcNow() < end || (promised is not null && clock.GetUtcNow() < end.AddDays(1)))
            {
                Look();
                if (clock.GetUtcNow() < end && promised is null && Cluster.IsOff && random.NextDouble() < 0.01)
                {
                    await UseAsync();
                }

                await Task.Delay(TimeSpan.FromMinutes(5), clock);
            }
        }

        private async Task ReapAsync(Func<bool> isOver)
        {
            for (var round = clock.GetUtcNow().AddMinutes(random.Next(30)); !isOver(); round = round.AddMinutes(30))
            {
                await Task.Delay(round > clock.GetUtcNow() ? round - clock.GetUtcNow() : TimeSpan.Zero, clock);
                if (ReaperLives)
                {
                    await reaper.RunAsync([cluster], null, CancellationToken.None);
                }
            }
        }

        private async Task UseAsync()
        {
            var holder = new LeaseHolder(++Starts, 1);
            try
            {
                promised = await start.RunAsync(new StartRequest(cluster, holder, TimeSpan.FromMinutes(10 + random.Next(100))), CancellationToken.None);
                if (random.NextDouble() < 0.5)
                {
                    await stop.RunAsync(cluster, holder, CancellationToken.None);
                }
            }
            catch (LabException)
            {
                // The reaper sees to it: that is what is being looked at.
            }
        }

        private void Look()
        {
            Cluster.Settle();
            if (promised is { } lease && (Cluster.IsOff || clock.GetUtcNow() - lease.Expiry > TimeSpan.FromHours(12)))
            {
                var stopped = Cluster.IsOff ? Cluster.StoppedAt : clock.GetUtcNow();
                if (stopped > lease.Expiry)
                {
                    Late.Add(stopped - lease.Expiry);
                }

                promised = null;
            }
        }
    }
}
