using System.Collections.Concurrent;
using PerfLab.Core.Model;
using PerfLab.Launching;

namespace PerfLab.Kubernetes;

/// <summary>
/// Where the launches of one session run: each of their programs always on the same node of the cluster, to which no other session's
/// launches come. The scheduler chooses, by a launch that only sleeps; then a pod that sleeps and asks for no core keeps the node, because
/// pods of two sessions never share one (<see cref="LaunchJob"/>).
/// </summary>
/// <param name="start">Starts a launch that sleeps: of these programs; on this node, or where the session's pools are (null).</param>
internal sealed class NodePlaces(Func<LaunchSpec, string?, SleepingLaunch> start) : IAsyncDisposable
{
    /// <summary>A claim outlives a lab that died by so much at most; one of a lab that lives is renewed before.</summary>
    public static readonly TimeSpan Life = TimeSpan.FromHours(4);

    /// <summary>More than it takes to claim what a launch found.</summary>
    private static readonly TimeSpan Look = TimeSpan.FromMinutes(10);

    private readonly ConcurrentDictionary<string, string> machines = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, SleepingLaunch> claims = new(StringComparer.Ordinal);

    /// <summary>A claim that is older is renewed before the next launch.</summary>
    public TimeSpan Renewed { get; set; } = Life / 2;

    /// <summary>Why a node is not kept any more; null while all are.</summary>
    public string? Lost => claims.Where(claim => claim.Value.Ended is not null)
        .Select(claim => $"the node {claim.Key} was lost between two launches: {claim.Value.Ended}").FirstOrDefault();

    /// <summary>The node of one program of a launch; null: not known yet.</summary>
    public string? Of(string program) => machines.GetValueOrDefault(program);

    /// <summary>A program runs there now: later launches of it do, too.</summary>
    public void Saw(string program, string machine) => machines.TryAdd(program, machine);

    /// <summary>Finds a node for each program that has none, and keeps it.</summary>
    /// <returns>Null when all have one; otherwise how the launch ended that looked for it.</returns>
    public async Task<LaunchEnd?> FindAsync(LaunchSpec shape, CancellationToken cancellationToken)
    {
        if (LaunchPart.Of(shape).All(part => machines.ContainsKey(part.Node.Name)))
        {
            return null;
        }

        await using var scout = start(shape with { Timeout = Look }, null);
        if (await scout.RunsAsync(cancellationToken) is { } failed)
        {
            return failed;
        }

        // Claimed while the launch sleeps there, so that nobody comes in between.
        var kept = await Task.WhenAll(scout.Machines.Values.Distinct(StringComparer.Ordinal)
            .Select(machine => ClaimAsync(shape, machine, cancellationToken)));
        foreach (var (program, machine) in scout.Machines)
        {
            machines[program] = machine;
        }

        return kept.FirstOrDefault(end => end is not null);
    }

    /// <summary>Claims anew what would end soon.</summary>
    public Task RenewAsync(LaunchSpec shape, CancellationToken cancellationToken) => Task.WhenAll(claims
        .Where(claim => claim.Value.Age > Renewed).Select(claim => ClaimAsync(shape, claim.Key, cancellationToken)));

    /// <summary>The session begins anew, wherever there is place.</summary>
    public async Task ForgetAsync()
    {
        machines.Clear();
        var old = claims.Values.ToList();
        claims.Clear();
        await Task.WhenAll(old.Select(claim => claim.DisposeAsync().AsTask()));
    }

    public async ValueTask DisposeAsync() => await ForgetAsync();

    /// <returns>Null when it holds.</returns>
    private async Task<LaunchEnd?> ClaimAsync(LaunchSpec shape, string machine, CancellationToken cancellationToken)
    {
        var claim = start(shape with { Nodes = [], Resources = new Resources(0, 32 << 20, 16), Timeout = Life }, machine);
        LaunchEnd? failed = null;
        try
        {
            failed = await claim.RunsAsync(cancellationToken);
        }
        catch
        {
            await claim.DisposeAsync();
            throw;
        }

        var spare = failed is null ? claims.GetValueOrDefault(machine) : claim;
        if (failed is null)
        {
            claims[machine] = claim;
        }

        if (spare is not null)
        {
            await spare.DisposeAsync();
        }

        return failed;
    }
}
