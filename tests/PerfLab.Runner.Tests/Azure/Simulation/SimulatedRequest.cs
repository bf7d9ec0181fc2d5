using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure.Simulation;

/// <summary>One /benchmark and what goes wrong with it.</summary>
internal sealed class SimulatedRequest
{
    /// <summary>A hung job is ended by its own time-out after 6 h.</summary>
    private const int JobTimeoutMinutes = 360;

    public SimulatedRequest(LeaseHolder holder, Random random, SimulationPlan plan)
    {
        Holder = holder;
        var expected = 15 + random.Next(61);
        LeaseTime = TimeSpan.FromMinutes(expected + 30);
        Hangs = random.NextDouble() < plan.Rates.MeasureHangs;
        Minutes = Hangs ? JobTimeoutMinutes : Math.Max(5, expected - random.Next(6));
        RunnerDiesAt = random.NextDouble() < plan.Rates.RunnerDies ? random.Next(expected) : -1;
        LabDownLost = random.NextDouble() < plan.Rates.LabDownLost;
        WatchdogDead = random.NextDouble() < plan.Rates.WatchdogDead;
        var killed = random.NextDouble() < plan.Rates.LabUpKilled;
        var at = 1 + random.Next(3);
        KillAtCall = killed ? at : null;
    }

    public LeaseHolder Holder { get; }
    public TimeSpan LeaseTime { get; }
    public int Minutes { get; }
    public bool Hangs { get; }
    public int RunnerDiesAt { get; }
    public bool LabDownLost { get; }
    public bool WatchdogDead { get; }
    public int? KillAtCall { get; }
}
