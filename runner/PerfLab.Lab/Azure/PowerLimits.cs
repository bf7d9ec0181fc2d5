namespace PerfLab.Lab.Azure;

/// <summary>How long and how often before giving up. docs/internals/infrastructure.md prints these; a test compares.</summary>
public sealed record PowerLimits
{
    /// <summary>Tries of a start that Azure has no capacity for, spread over <see cref="AllocationWindow"/>.</summary>
    public int AllocationTries { get; init; } = 3;
    public TimeSpan AllocationWindow { get; init; } = TimeSpan.FromMinutes(15);

    /// <summary>From the first call to a booted machine, all tries included.</summary>
    public TimeSpan StartDeadline { get; init; } = TimeSpan.FromMinutes(30);

    /// <summary>How long a start waits for a machine that another run still holds.</summary>
    public TimeSpan BusyWait { get; init; } = TimeSpan.FromMinutes(20);

    /// <summary>Between a lease and the call that makes the machine: so long an empty machine with a lease is not free.</summary>
    public TimeSpan LeaseToStart { get; init; } = TimeSpan.FromMinutes(2);

    /// <summary>From the first call to an empty machine, all tries included.</summary>
    public TimeSpan StopDeadline { get; init; } = TimeSpan.FromMinutes(15);

    /// <summary>One long-running operation.</summary>
    public TimeSpan OperationDeadline { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>Azure's documented example asks for 1200 s; whoever is told to wait longer gives up and says so.</summary>
    public TimeSpan LongestRetryAfter { get; init; } = TimeSpan.FromMinutes(20);

    /// <summary>When throttled without being told for how long.</summary>
    public TimeSpan ThrottledPause { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>Between tries of a call that failed for no reason of ours: the pauses of actions-runner-controller.</summary>
    public IReadOnlyList<TimeSpan> Pauses { get; init; } =
        [TimeSpan.Zero, TimeSpan.FromSeconds(5), TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(20), TimeSpan.FromSeconds(40), TimeSpan.FromSeconds(80)];

    /// <summary>The instance view lags behind the operation: how often it is read again before it's believed.</summary>
    public int ViewReadings { get; init; } = 12;
    public TimeSpan ViewPause { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Between two looks at a cluster, whose operations take minutes.</summary>
    public TimeSpan ClusterPause { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>A boot without a runner that GitHub knows is suspicious from here on.</summary>
    public TimeSpan BootGrace { get; init; } = TimeSpan.FromMinutes(15);
}
