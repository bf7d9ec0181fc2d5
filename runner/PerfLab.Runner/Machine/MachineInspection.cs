using System.Text.Json.Nodes;

namespace PerfLab.Runner.Machine;

/// <summary>Everything about the machine that is known before the first launch: the kernel's files, a second of watching, a self-test.</summary>
internal sealed record MachineInspection
{
    public MachineFiles Files { get; init; } = new();

    public required TimeProvider Time { get; init; }

    /// <summary>Folder in which the lab keeps its files: its disk is judged, and the history of self-tests lies there.</summary>
    public required string Store { get; init; }

    /// <summary>What the launcher says about itself.</summary>
    public JsonObject? Executor { get; init; }

    public int SelfTestRepeats { get; init; } = SelfTest.FewRepeats;

    public SelfTestHistory History => new(Path.Combine(Store, "machine", "self-tests.ndjson"));

    /// <summary>Cores that the machine's owner keeps for workloads, in the kernel's list form; null when nobody split it.</summary>
    public string? WorkloadCpus => new MachineScan(Files, Time).WorkloadCpus is { Count: > 0 } cpus ? CpuList.Format(cpus) : null;

    /// <summary>The policy that was asked for, that of /etc/perf-lab/machine.conf, or "any".</summary>
    public HygienePolicy PolicyOr(HygienePolicy? asked) => asked ?? LabMachine.Read(Files).Kind ?? HygienePolicy.Any;

    /// <summary>The fingerprint with the policy it is judged by; the self-test is added to the machine's history.</summary>
    public async Task<MachineFindings> RunAsync(HygienePolicy policy, CancellationToken cancellationToken)
    {
        var facts = MachineFacts.Read(Files, Time, DiskSpace.Of(Store), Executor);
        facts["policy"] = policy.ToString().ToLowerInvariant();
        if (await AzureInstance.AskAsync(Files, handler: null, cancellationToken) is { } instance)
        {
            facts["instance"] = instance;
        }

        facts["busyShare"] = await OtherLoad.WatchAsync(Files, Time, cancellationToken);
        var (usual, runs) = History.Usual(SelfTestHistory.Key(facts));
        var figures = SelfTest.RunAll(Time, SelfTestRepeats);
        facts["selfTest"] = figures.ToJson(usual, runs);
        History.Add(SelfTestHistory.Key(facts), figures, Time.GetUtcNow());
        return new(facts, figures, usual, runs);
    }
}

/// <summary>What an inspection found.</summary>
/// <param name="Facts">The fingerprint.</param>
/// <param name="Figures">The self-test that was just run.</param>
/// <param name="Usual">Seconds by kind of work in this machine's history; null when there is none.</param>
/// <param name="EarlierRuns">Of how many runs that is.</param>
internal sealed record MachineFindings(JsonObject Facts, SelfTestFigures Figures, IReadOnlyDictionary<string, double>? Usual, int EarlierRuns);
