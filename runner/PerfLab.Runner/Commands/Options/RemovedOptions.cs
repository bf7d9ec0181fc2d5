namespace PerfLab.Runner.Commands.Options;

/// <summary>Options of earlier versions, and what to type now.</summary>
internal static class RemovedOptions
{
    private static readonly string[] WithCells = ["run", "plan", "bisect", "jit"];

    private const string SimulatedYear =
        "type dotnet run --project benchmarks/PerfLab.Calibration -c Release -- --year --seed N in perf-lab's checkout";

    private const string Checkouts = "type --checkouts DIR: each commit is in DIR/ARM";

    /// <summary>Each option with the commands that had it.</summary>
    public static IReadOnlyList<(string[] Commands, string Option, string Now)> All { get; } =
    [
        .. new[] { "tiering", "readytorun", "quick-jit-for-loops", "osr", "datas" }
            .Select(knob => (WithCells, $"--{knob}", $"type --set {knob}=…")),
        (["run", "compare", "report", "import", "bdn", "demo"], "--hygiene", "type --details"),
        (["doctor"], "--lanes", "one launch at a time is measured on a machine. Type ./perf-lab doctor"),
        (["trend"], "--simulate", SimulatedYear),
        (["trend"], "--seed", SimulatedYear),
        (["plan"], "--within", "type --shards 30m to spread a plan over machines; run has --within, which measures until rows are decided"),
        (["plan"], "--base-source", Checkouts),
        (["plan"], "--head-source", Checkouts),
        (["measure"], "--lanes", "type --nodes N --executor kubernetes in a cluster, and --shard K on each of several machines"),
    ];

    /// <summary>"--tiering is gone: type --set tiering=…"; null for what never was an option of the command.</summary>
    public static string? WhatNow(string command, string option) =>
        All.FirstOrDefault(removed => removed.Option == option && removed.Commands.Contains(command, StringComparer.Ordinal))
            is { Now: { } now } ? $"{option} is gone: {now}"
        : (command, option) == ("run", "--list") ? "'--list' is not an option of run: type ./perf-lab list PROJECT" // of BenchmarkDotNet
        : null;
}
