using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Launching.Proof;

namespace PerfLab.Runner.Sessions;

/// <summary>What a session needs to know before its first launch.</summary>
public sealed record SessionSetup
{
    public required RunPlan Plan { get; init; }

    /// <summary>What came of building each arm.</summary>
    public required ArmBuilds Builds { get; init; }
    public required SessionHeader Header { get; init; }

    /// <summary>Cores for the workload, in the kernel's list form; null leaves the choice to the executor.</summary>
    public string? Cpus { get; init; }

    /// <summary>Folder for what benchmarks run, kept for later sessions; null: nothing is kept.</summary>
    public string? Touches { get; init; }

    /// <summary>In which every cell begins.</summary>
    public Stage FirstStage => Plan.Policy.ScreenRounds > 0 ? Stage.Screen : Stage.Confirm;

    /// <summary>The arm is what the cell's reference is, so there is nothing to measure, unless that is what was asked for.</summary>
    public bool IsIdentical(PlannedCell cell, PlannedArm arm) => !Plan.IsAa && PairEvidence.AreIdentical(
        (Builds[cell.Id, arm.Id].Build?.Identity, arm.Dimensions),
        (Builds[cell.Id, cell.Arms[0].Id].Build?.Identity, cell.Arms[0].Dimensions));

    /// <summary>How its arms are launched.</summary>
    public LaunchSpecs Launches => new(Header.Session, Builds, Cpus);

    /// <summary>Without a launch before each repeat.</summary>
    public TimeSpan Apart { get; init; } = TimeSpan.FromSeconds(Policy.RepeatApart);

    /// <summary>By which that time passes.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>How long a vanished engine is waited for.</summary>
    public TimeSpan EnginePatience { get; init; } = TimeSpan.FromSeconds(60);
}
