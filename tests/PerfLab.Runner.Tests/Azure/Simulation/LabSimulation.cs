using PerfLab.Core.Model;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure.Simulation;

/// <summary>
/// One machine, the queue of requests before it, and everything that may end it, over days of fake time. All layers are the real ones,
/// through the real SDK; Azure, GitHub and the workloads are not.
/// </summary>
internal sealed class LabSimulation : IDisposable
{
    private readonly SimulationPlan plan;
    private readonly Random random;
    private readonly FakeTimeProvider clock = FakeTimeProvider.AtTheStart();
    private readonly DateTimeOffset start;
    private readonly FakeAzure azure;
    private readonly FakeMachineInAzure vm;
    private readonly AzureWeather weather;
    private readonly AzureMachine machine = FakeAzure.Machine();
    private readonly PowerLimits limits = new();
    private readonly SimulationResult result = new();
    private readonly SimulatedWatchdog watchdog;
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");

    private string? registered;

    /// <summary>A day after the last request, so that a daily shutdown still comes; null while the queue is served.</summary>
    private DateTimeOffset? end;

    public LabSimulation(SimulationPlan plan)
    {
        this.plan = plan;
        random = new Random(plan.Seed);
        start = clock.GetUtcNow();
        azure = new FakeAzure(clock);
        vm = azure.Add();
        weather = new AzureWeather(new Random(plan.Seed + 1), plan.Rates);
        azure.Faults.Add(weather.Answer);
        azure.ScaleSets.StartErrorFor = weather.StartError;
        azure.ScaleSets.ViewFor = weather.View;
        watchdog = new SimulatedWatchdog(vm, azure, clock, folder.FullName);
        vm.Ended = Ended;
    }

    private bool IsOver => clock.GetUtcNow() >= end;

    private bool GitHubWorks => plan.GitHubOutage is not { } outage || clock.GetUtcNow() < start.AddHours(outage.From) || clock.GetUtcNow() >= start.AddHours(outage.To);

    public void Dispose()
    {
        azure.Dispose();
        watchdog.Dispose();
        folder.Delete(recursive: true);
    }

    public async Task<SimulationResult> RunAsync()
    {
        var actors = new List<Task>();
        Start(ServeQueueAsync);
        Start(AzureItselfAsync);
        Add(Layers.Watchdog, () => watchdog.RunAsync(() => IsOver));
        Add(Layers.Reaper, ReapAsync);
        await clock.RunAsync(actors);
        await Task.WhenAll(actors);
        result.Billed = vm.BilledAt(clock.GetUtcNow());
        result.AzureCalls = azure.Calls.Count;
        result.AzureFaults = weather.Count;
        result.FinalPower = vm.Power;
        result.Left = [.. azure.ScaleSets.Left.Select(part => part.Name)];
        return result;

        void Add(Layers layer, Func<Task> actor)
        {
            if (plan.Alive.HasFlag(layer))
            {
                Start(actor);
            }
        }

        // Each begins at its own millisecond: nothing depends on which thread was faster.
        void Start(Func<Task> actor)
        {
            var delay = TimeSpan.FromMilliseconds(1 + actors.Count);
            actors.Add(Task.Run(async () =>
            {
                await Task.Delay(delay, clock);
                try
                {
                    await actor();
                }
                catch (Exception)
                {
                    // Nobody waits for whoever is dead: the test fails with the reason.
                    end ??= clock.GetUtcNow();
                    throw;
                }
            }));
        }
    }

    private void Ended(DateTimeOffset at, string by, string? leaseText)
    {
        if (Lease.Parse(leaseText) is { } lease)
        {
            result.Ends.Add(new(at, by, at - lease.Expiry));
        }
    }

    /// <summary>The clock of the cloud: operations end, and once a day everything is switched off.</summary>
    private async Task AzureItselfAsync()
    {
        while (!IsOver)
        {
            azure.Settle();
            if (plan.Alive.HasFlag(Layers.DailyShutdown) && clock.GetUtcNow() is { Hour: 3, Minute: < 5 })
            {
                azure.ScaleSets.ShutDownDaily();
            }

            await Task.Delay(TimeSpan.FromMinutes(5), clock);
        }
    }

    private async Task ReapAsync()
    {
        var machines = new ScaleSets(azure.AccessFor("reaper"), clock, limits, _ => { });
        var reaper = new Reaper(machines, new MachineStop(machines, clock, limits, _ => { }), clock, limits);
        for (var round = start.AddMinutes(random.Next(30)); !IsOver; round = round.AddMinutes(30))
        {
            if (round > clock.GetUtcNow())
            {
                await Task.Delay(round - clock.GetUtcNow(), clock);
            }

            if (GitHubWorks)
            {
                IReadOnlyList<RegisteredRunner> known = registered is { } name ? [new(name, watchdog.RunnerLives ? "online" : "offline", Busy: true)] : [];
                await reaper.RunAsync([machine], new RunnerList(known), CancellationToken.None);
            }
        }
    }

    private async Task ServeQueueAsync()
    {
        var arrivals = Enumerable.Range(0, plan.Requests)
            .Select(_ => start.Date.AddDays(random.Next(plan.Days)).AddHours(8 + (random.NextDouble() * 13))).Order().ToList();
        for (var number = 0; number < arrivals.Count; number++)
        {
            var arrival = new DateTimeOffset(arrivals[number], TimeSpan.Zero);
            if (arrival > clock.GetUtcNow())
            {
                await Task.Delay(arrival - clock.GetUtcNow(), clock);
            }

            await ServeAsync(new SimulatedRequest(new LeaseHolder(number + 1, 1), random, plan));
        }

        end = clock.GetUtcNow().AddHours(26);
    }

    private async Task ServeAsync(SimulatedRequest request)
    {
        watchdog.IsDead = request.WatchdogDead;
        result.Count(await MeasureAsync(request));
        registered = null;
        watchdog.RunnerLives = false;
        if (plan.Alive.HasFlag(Layers.LabDown) && !request.LabDownLost && GitHubWorks)
        {
            var machines = new ScaleSets(azure.AccessFor("lab-down"), clock, limits, _ => { });
            await QuietlyAsync(() => new MachineStop(machines, clock, limits, _ => { }).RunAsync(machine, request.Holder, CancellationToken.None));
        }
    }

    /// <returns>How the request ended, for the table.</returns>
    private async Task<string> MeasureAsync(SimulatedRequest request)
    {
        using var killed = new CancellationTokenSource();
        var machines = new ScaleSets(azure.AccessFor("lab-up"), clock, limits, request.KillAtCall is { } call ? new Countdown(call, killed).Say : _ => { });
        var up = new MachineStart(machines, new MachineStop(machines, clock, limits, _ => { }), clock, limits, request.KillAtCall is { } at ? new Countdown(at, killed).Say : _ => { });
        try
        {
            await up.RunAsync(new StartRequest(machine, request.Holder, request.LeaseTime) { CustomData = LabFixture.DataFor }, killed.Token);
        }
        catch (LabException failed)
        {
            return failed.CameBack.Contains("still holds it", StringComparison.Ordinal) ? "refused: machine busy" : "failed: no machine";
        }
        catch (OperationCanceledException)
        {
            return "failed: lab-up killed";
        }

        if (azure.ScaleSets.NextDeleteLeavesParts = random.NextDouble() < plan.Rates.DeleteLeavesParts)
        {
            result.DeletesThatLeft++;
        }

        registered = RunnerList.NameFor(request.Holder, machine.Name);
        watchdog.RunnerLives = true;
        return await WorkAsync(request);
    }

    private async Task<string> WorkAsync(SimulatedRequest request)
    {
        var boot = vm.Boots;
        for (var minute = 0; minute < request.Minutes; minute++)
        {
            await Task.Delay(TimeSpan.FromMinutes(1), clock);
            if (vm.Power != "running" || vm.Boots != boot || vm.Vms[0].Provisioning is "Deleting")
            {
                return request.Hangs ? "ended: hung until its lease ended" : "failed: machine ended under it";
            }

            if (minute == request.RunnerDiesAt)
            {
                watchdog.RunnerLives = false;
                await Task.Delay(TimeSpan.FromMinutes(12), clock);
                return "failed: runner died";
            }
        }

        return request.Hangs ? "ended: hung until the job's time-out" : "measured";
    }

    private static async Task QuietlyAsync(Func<Task> act)
    {
        try
        {
            await act();
        }
        catch (LabException)
        {
            // The other layers see to it: that is what is being measured.
        }
    }

    /// <summary>Ends a program after so many lines of progress, as a cancelled job would.</summary>
    private sealed class Countdown(int lines, CancellationTokenSource end)
    {
        private int left = lines;

        public void Say(string line)
        {
            if (--left <= 0)
            {
                end.Cancel();
            }
        }
    }
}
