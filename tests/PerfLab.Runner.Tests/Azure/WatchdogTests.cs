using System.Net;
using PerfLab.Machine.Watching;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

public sealed class WatchdogTests : IDisposable
{
    private readonly LabFixture lab = new();
    private readonly FakeMetadata metadata;
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");
    private readonly WatchdogFiles files;
    private readonly WatchdogLimits limits = new();

    public WatchdogTests()
    {
        metadata = new FakeMetadata(lab.Vm, "watchdog");
        files = new WatchdogFiles(Path.Combine(folder.FullName, "heartbeat"), Path.Combine(folder.FullName, "lease"));
    }

    public void Dispose()
    {
        metadata.Dispose();
        folder.Delete(recursive: true);
    }

    private Task<string> WatchAsync()
    {
        var service = new OwnMachine(new MetadataService(metadata.Client), lab.Clock);
        var access = lab.Azure.AccessFor("watchdog") with { Credential = service.Credential };
        return lab.Clock.RunAsync(() => new Watchdog(service, access, files, lab.Clock, lab.Said.Add).RunAsync(CancellationToken.None));
    }

    /// <summary>The runner touches its file at every look of the watchdog, up to <paramref name="until"/>.</summary>
    private void BeatUntil(DateTimeOffset until)
    {
        metadata.Fault = () =>
        {
            if (lab.Now <= until)
            {
                File.WriteAllText(files.Heartbeat, "");
                File.SetLastWriteTimeUtc(files.Heartbeat, lab.Now.UtcDateTime);
            }

            return null;
        };
    }

    [Fact]
    public async Task The_end_of_the_lease_ends_the_machine_within_a_minute()
    {
        var end = lab.Now.AddHours(1);
        lab.RunningUnder(new Lease(LabFixture.Us, end));
        BeatUntil(end.AddDays(1));

        (await WatchAsync()).ShouldBe("the lease of run 4711/1 ended at 2026-11-02T09:00:00Z");

        (lab.Now - end).ShouldBeInRange(TimeSpan.Zero, TimeSpan.FromMinutes(1));
        lab.Azure.Calls.ShouldHaveSingleItem().Caller.ShouldBe("watchdog");
        lab.Vm.Vms.ShouldHaveSingleItem().Provisioning.ShouldBe("Deleting");
    }

    [Fact]
    public async Task A_silent_runner_ends_the_machine()
    {
        lab.RunningUnder(new Lease(LabFixture.Us, lab.Now.AddHours(6)));
        var silentFrom = lab.Now.AddMinutes(40);
        BeatUntil(silentFrom);

        (await WatchAsync()).ShouldBe("the runner has been silent for 10 min");

        (lab.Now - silentFrom).ShouldBeInRange(TimeSpan.FromMinutes(10), TimeSpan.FromMinutes(11));
    }

    [Fact]
    public async Task A_runner_that_never_beats_ends_the_machine_after_the_boot_grace()
    {
        var boot = lab.Now;
        lab.RunningUnder(new Lease(LabFixture.Us, boot.AddHours(6)));

        await WatchAsync();

        (lab.Now - boot).ShouldBe(limits.BootGrace);
    }

    [Fact]
    public async Task A_machine_without_a_lease_is_ended_after_the_boot_grace()
    {
        lab.RunningUnder(null);
        BeatUntil(lab.Now.AddDays(1));

        (await WatchAsync()).ShouldBe("no lease 15 min after the boot");
    }

    [Fact]
    public async Task A_stale_tag_of_the_last_run_does_not_end_this_one()
    {
        var end = lab.Now.AddMinutes(30);
        lab.RunningUnder(new Lease(LabFixture.Us, end));
        metadata.ShownLease = () => new Lease(LabFixture.Them, lab.Now.AddHours(-3)).ToString();
        File.WriteAllText(files.Lease, new Lease(LabFixture.Us, end) + "\n");
        BeatUntil(end.AddDays(1));

        await WatchAsync();

        lab.Now.ShouldBeGreaterThanOrEqualTo(end);
    }

    [Theory]
    [InlineData(404)]
    [InlineData(500)]
    [InlineData(200)]
    public async Task A_metadata_service_that_fails_delays_the_end_only_as_long_as_it_fails(int status)
    {
        var end = lab.Now.AddMinutes(20);
        lab.RunningUnder(new Lease(LabFixture.Us, end));
        File.WriteAllText(files.Lease, new Lease(LabFixture.Us, end).ToString());
        var back = end.AddMinutes(7);
        metadata.Fault = () => lab.Now < back ? new HttpResponseMessage((HttpStatusCode)status) { Content = new StringContent("<html>") } : null;

        await WatchAsync();

        (lab.Now - back).ShouldBeInRange(TimeSpan.Zero, TimeSpan.FromMinutes(1));
    }

    [Fact]
    public async Task Azure_that_refuses_is_asked_again_and_again()
    {
        var end = lab.Now.AddMinutes(20);
        lab.RunningUnder(new Lease(LabFixture.Us, end));
        BeatUntil(end.AddDays(1));
        var back = end.AddHours(1);
        lab.Azure.Faults.Add((_, _) => lab.Now < back ? FakeAzure.Error(HttpStatusCode.Forbidden, "AuthorizationFailed", "not yet") : null);

        await WatchAsync();

        (lab.Now - back).ShouldBeInRange(TimeSpan.Zero, TimeSpan.FromMinutes(1));
    }

    /// <summary>Nobody else may be left who deletes it: a long pause would be a long bill.</summary>
    [Fact]
    public async Task Azure_that_asks_for_a_long_pause_once_is_asked_again_at_the_next_look()
    {
        var end = lab.Now.AddMinutes(20);
        lab.RunningUnder(new Lease(LabFixture.Us, end));
        BeatUntil(end.AddDays(1));
        var times = 0;
        lab.Azure.Faults.Add((_, _) => times++ == 0 ? FakeAzure.Error(HttpStatusCode.TooManyRequests, "TooManyRequests", "slow down", "1200") : null);

        await WatchAsync();

        (lab.Now - end).ShouldBeInRange(TimeSpan.Zero, TimeSpan.FromMinutes(2));
    }

    [Fact]
    public async Task A_forged_or_endless_lease_does_not_outlive_the_longest_uptime()
    {
        var boot = lab.Now;
        lab.RunningUnder(null);
        metadata.ShownLease = () => "1/1/2099-01-01T00:00:00Z";
        BeatUntil(boot.AddYears(1));

        (await WatchAsync()).ShouldBe("up for more than 7.5 h");
        (lab.Now - boot).ShouldBeInRange(limits.LongestUptime, limits.LongestUptime + TimeSpan.FromMinutes(1));
    }

    [Fact]
    public async Task A_clock_that_is_set_back_does_not_look_like_silence()
    {
        var end = lab.Now.AddHours(2);
        lab.RunningUnder(new Lease(LabFixture.Us, end));
        var beats = 0;
        metadata.Fault = () =>
        {
            File.WriteAllText(files.Heartbeat, "");
            File.SetLastWriteTimeUtc(files.Heartbeat, new DateTime(2001, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddSeconds(++beats));
            return null;
        };

        (await WatchAsync()).ShouldContain("lease");
    }
}
