using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Processes;

/// <summary>What this machine offers to isolate a launch: found once, before the first launch.</summary>
internal sealed record ProcessHost
{
    private const string Unsealed = "unsealed, own code only: ";

    /// <summary>The sandbox, null where there is none that works.</summary>
    public Bubblewrap? Sandbox { get; init; }
    public MemoryCgroupHome? Memory { get; init; }

    /// <summary>The command before an unsealed one that makes it die with the runner (setpriv of util-linux); empty where it is not installed.</summary>
    public IReadOnlyList<string> Guard { get; init; } = [];

    /// <summary>The cores this process may use; empty where the OS does not say.</summary>
    public IReadOnlyList<int> Cpus { get; init; } = [];

    /// <summary>What can't be isolated, one sentence each.</summary>
    public required IReadOnlyList<string> Warnings { get; init; }

    public static ProcessHost Probe(ProcessExecutorOptions options, string support)
    {
        var (sandbox, why) = FindSandbox(options, support);
        var memory = MemoryCgroupHome.Find();
        var cpus = CpuAffinity.OfThisThread();
        return new ProcessHost
        {
            Sandbox = sandbox,
            Memory = memory,
            Guard = ProgramPath.Find("setpriv", options.ToolPath) is { } setpriv ? [setpriv, "--pdeathsig", "KILL", "--"] : [],
            Cpus = cpus,
            Warnings = [.. Doubts(why, memory, cpus)],
        };
    }

    private static IEnumerable<string> Doubts(string? noSandbox, MemoryCgroupHome? memory, IReadOnlyList<int> cpus)
    {
        yield return noSandbox is null
            ? "sealed by bubblewrap, which filters no system calls and lets a workload leave its cores"
            : $"{Unsealed}{noSandbox}, so the workload sees the user's files, network and processes, and writes where the user may";
        if (memory is null)
        {
            yield return "memory is not limited: no memory cgroup can be made here (it takes root, or a delegated cgroup)";
        }

        if (cpus.Count <= 2)
        {
            yield return $"the lab shares its {(cpus.Count == 1 ? "only core" : "cores")} with the workload: none can be kept free with two or fewer";
        }
    }

    private static (Bubblewrap? Sandbox, string? Why) FindSandbox(ProcessExecutorOptions options, string support)
    {
        if (!options.Sandbox)
        {
            return (null, "bubblewrap is switched off");
        }

        if (ProgramPath.Find("bwrap", options.ToolPath) is not { } program)
        {
            return (null, "bubblewrap (bwrap) is not installed");
        }

        Bubblewrap.WriteSupport(support);
        var sandbox = new Bubblewrap(program, support);
        var refusal = SandboxTrial.Refusal(sandbox, support);
        return refusal is null ? (sandbox, null) : (null, $"bubblewrap does not work here ({refusal})");
    }
}
