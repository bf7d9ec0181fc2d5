namespace PerfLab.Runner.Tests.Azure.Simulation;

/// <summary>What ends machines (docs/operations.md): each must do alone.</summary>
[Flags]
public enum Layers
{
    None = 0,
    LabDown = 1,
    Watchdog = 2,
    Reaper = 4,
    DailyShutdown = 8,
    All = LabDown | Watchdog | Reaper | DailyShutdown,
}

/// <summary>How often what goes wrong, as probabilities: per request, or per call of Azure.</summary>
public sealed record FaultRates
{
    public double LabUpKilled { get; init; } = 0.01;
    public double RunnerDies { get; init; } = 0.03;
    public double MeasureHangs { get; init; } = 0.02;
    public double LabDownLost { get; init; } = 0.04;
    public double WatchdogDead { get; init; } = 0.05;
    public double NoCapacity { get; init; } = 0.03;
    public double ServerError { get; init; } = 0.010;
    public double Throttled { get; init; } = 0.005;
    public double Html { get; init; } = 0.002;
    public double AnswerLost { get; init; } = 0.005;
    public double LyingView { get; init; } = 0.005;

    /// <summary>Of a machine: its deletion fails half-way, so that card, address and disk stay.</summary>
    public double DeleteLeavesParts { get; init; } = 0.02;

    public FaultRates Times(double factor) => new()
    {
        LabUpKilled = Math.Min(1, LabUpKilled * factor),
        RunnerDies = Math.Min(1, RunnerDies * factor),
        MeasureHangs = Math.Min(1, MeasureHangs * factor),
        LabDownLost = Math.Min(1, LabDownLost * factor),
        WatchdogDead = Math.Min(1, WatchdogDead * factor),
        NoCapacity = Math.Min(1, NoCapacity * factor),
        ServerError = Math.Min(0.3, ServerError * factor),
        Throttled = Math.Min(0.2, Throttled * factor),
        Html = Math.Min(0.2, Html * factor),
        AnswerLost = Math.Min(0.2, AnswerLost * factor),
        LyingView = Math.Min(0.2, LyingView * factor),
        DeleteLeavesParts = Math.Min(0.5, DeleteLeavesParts * factor),
    };
}

public sealed record SimulationPlan(int Seed, int Requests, int Days)
{
    public Layers Alive { get; init; } = Layers.All;
    public FaultRates Rates { get; init; } = new();

    /// <summary>Hours from the start during which GitHub starts nothing: neither `lab-down` nor the reaper.</summary>
    public (double From, double To)? GitHubOutage { get; init; }
}

/// <summary>One machine that was given up, by whom, and how long after the end of its lease.</summary>
public sealed record MachineEnd(DateTimeOffset At, string By, TimeSpan? AfterLease);

public sealed class SimulationResult
{
    public Dictionary<string, int> Requests { get; } = new(StringComparer.Ordinal);
    public List<MachineEnd> Ends { get; } = [];
    public TimeSpan Billed { get; set; }
    public int AzureCalls { get; set; }
    public int AzureFaults { get; set; }
    public string FinalPower { get; set; } = "";

    /// <summary>Cards, addresses and disks of no machine at the end.</summary>
    public IReadOnlyList<string> Left { get; set; } = [];
    public int DeletesThatLeft { get; set; }

    public void Count(string outcome) => Requests[outcome] = Requests.GetValueOrDefault(outcome) + 1;
}
