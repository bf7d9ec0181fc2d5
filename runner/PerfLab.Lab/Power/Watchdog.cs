using Azure.Core;
using PerfLab.Lab.Azure;

namespace PerfLab.Lab.Power;

/// <summary>When the watchdog bites.</summary>
public sealed record WatchdogLimits
{
    public TimeSpan Every { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>GitHub itself gives a runner that went silent 10 minutes.</summary>
    public TimeSpan Silence { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>After the boot, until a lease and a heartbeat are expected.</summary>
    public TimeSpan BootGrace { get; init; } = TimeSpan.FromMinutes(15);

    /// <summary>No machine is up longer, whatever its lease or its clock say.</summary>
    public TimeSpan LongestUptime { get; init; } = Lease.Longest + TimeSpan.FromMinutes(30);
}

/// <summary>The two small files that the machine's units write.</summary>
public sealed record WatchdogFiles(string Heartbeat, string Lease)
{
    public DateTime? LastBeat => File.Exists(Heartbeat) ? File.GetLastWriteTimeUtc(Heartbeat) : null;

    public Lease? ReadLease()
    {
        try
        {
            return File.Exists(Lease) && new FileInfo(Lease).Length < 200 ? Azure.Lease.Parse(File.ReadAllText(Lease).Trim()) : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}

/// <summary>
/// Cost layer 2, on the machine itself: needs neither GitHub nor us. Runs until Azure has accepted that the machine is deleted;
/// the unit starts it again, should the machine survive that.
/// </summary>
public sealed class Watchdog(OwnMachine machine, AzureAccess access, WatchdogFiles files, TimeProvider clock, Action<string> say)
{
    public WatchdogLimits Limits { get; init; } = new();

    /// <returns>Why the machine was given up.</returns>
    public async Task<string> RunAsync(CancellationToken cancellationToken)
    {
        var boot = clock.GetTimestamp();
        var lastBeat = (Written: files.LastBeat, Seen: boot);
        while (true)
        {
            // Noticed by change, not by age: the clock may be set while we watch.
            if (files.LastBeat is { } beat && beat != lastBeat.Written)
            {
                lastBeat = (beat, clock.GetTimestamp());
            }

            var self = await machine.ReadAsync(cancellationToken);
            var reason = Reason(Later(self?.Lease, files.ReadLease()), clock.GetElapsedTime(boot), clock.GetElapsedTime(lastBeat.Seen));
            if (reason is not null && self is not null && await EndAsync(self.Id, reason, cancellationToken))
            {
                return reason;
            }

            if (reason is not null && self is null)
            {
                say($"{reason}, but the metadata service does not answer: trying again");
            }

            await Task.Delay(Limits.Every, clock, cancellationToken);
        }
    }

    private string? Reason(Lease? lease, TimeSpan uptime, TimeSpan silence)
    {
        var now = clock.GetUtcNow();
        return uptime > Limits.LongestUptime ? $"up for more than {Limits.LongestUptime.TotalHours.ToString("0.0", CultureInfo.InvariantCulture)} h"
            : lease is not null && now >= lease.Expiry ? $"the lease of run {lease.Holder} ended at {Azure.Lease.TimeText(lease.Expiry)}"
            : lease is null && uptime >= Limits.BootGrace ? $"no lease {Limits.BootGrace.TotalMinutes:0} min after the boot"
            : uptime >= Limits.BootGrace && silence >= Limits.Silence ? $"the runner has been silent for {silence.TotalMinutes:0} min"
            : null;
    }

    /// <summary>
    /// The metadata service shows tags minutes late, the file comes with the boot: whichever promises more is the newer one.
    /// </summary>
    private static Lease? Later(Lease? one, Lease? other) => one is null || other?.Expiry > one.Expiry ? other : one;

    /// <summary>True when Azure has accepted it. This identity may not read the machine, so nobody waits for the end.</summary>
    private async Task<bool> EndAsync(ResourceIdentifier self, string reason, CancellationToken cancellationToken)
    {
        say($"{reason}: deleting {self.Name}");
        try
        {
            await new Instances(access, clock, new PowerLimits(), say).AskForDeletionAsync(self, clock.GetUtcNow().AddMinutes(5), cancellationToken);
            return true;
        }
        catch (AzureException failed)
        {
            say($"{failed.Message}: trying again");
            return false;
        }
    }
}
