using PerfLab.Building;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Proof;
using PerfLab.Launching.Results;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow.Benchmarks;

/// <summary>Asks a build which benchmarks it holds: the lab's driver in it answers, in a launch that is sealed and bounded as any other.</summary>
internal static class BenchmarkLister
{
    /// <summary>The list, or in a sentence why there is none.</summary>
    /// <param name="lab">Where it is launched.</param>
    /// <param name="of">An arm that is built; which benchmark its cell names is not looked at.</param>
    /// <param name="builds">Its build among others.</param>
    /// <param name="launcher">Has prepared that build.</param>
    /// <param name="cancellationToken">Ends the launch.</param>
    public static async Task<(BenchmarkList? List, string? Why)> ListAsync(
        Lab lab, (PlannedCell Cell, PlannedArm Arm) of, ArmBuilds builds, ILauncher launcher, CancellationToken cancellationToken)
    {
        var launches = new LaunchSpecs(SessionFolder.NewId(lab.Terminal.Clock), builds, lab.WorkloadCpus);
        var spec = launches.Of(of.Cell, of.Arm, LaunchEnvironment.NewNonce(), EnvironmentPad.OfProof);
        return BenchmarkList.Read(await launcher.LaunchAsync(spec with { Command = [.. of.Arm.Command, "list"] }, cancellationToken));
    }

    /// <summary>What helps where <paramref name="why"/> there is no list.</summary>
    public static string WhatToDo(string why) => why switch
    {
        _ when why.Contains("ICU", StringComparison.Ordinal) =>
            "the project wants cultures: install ICU (`apt-get install libicu-dev`), or for containers name a base-image that has "
            + "it; InvariantGlobalization in the project measures it without cultures",
        _ when why.Contains(BenchmarkList.TooLate, StringComparison.Ordinal) =>
            "static constructors, [ParamsSource] and [ArgumentsSource] run while benchmarks are listed: "
            + "one of them waits, or takes too long",
        _ => "the project can't be run inside another process as it is: "
            + "BenchmarkDotNet's in-process toolchain is what a sealed launch can do",
    };
}
