using PerfLab.Core.Model;
using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>The processor: which it is, and what changes its speed.</summary>
internal static class CpuRows
{
    private const string Cpus = "/sys/devices/system/cpu";
    private const string IdleFolder = Cpus + "/cpu0/cpuidle";
    private const int MostIdleStates = 32;

    /// <summary>Microseconds to wake up; C1 takes 1 to 2, the next deeper state of current processors from about 15 on.</summary>
    private const long DeepFrom = 10;

    public static HygieneRow[] All { get; } =
    [
        // Which processor this is: figures of different ones are never compared.
        new(1, ["cpu.model", "cpu.family", "cpu.modelNumber", "cpu.stepping", "cpu.microcode", "cpu.online"],
            Row.Fact("cpu.model", scan => scan.Field("/proc/cpuinfo", "model name")),
            Row.Fact("cpu.family", scan => scan.Field("/proc/cpuinfo", "cpu family")),
            Row.Fact("cpu.modelNumber", scan => scan.Field("/proc/cpuinfo", "model")),
            Row.Fact("cpu.stepping", scan => scan.Field("/proc/cpuinfo", "stepping")),
            Row.Fact("cpu.microcode", scan => scan.Field("/proc/cpuinfo", "microcode")),
            Row.Fact("cpu.online", scan => scan.Fact(Cpus + "/online", KernelText.SomeCpus)),
            Row.Fact("cpu.kinds", Kinds),
            Row.Record("CPU", "cpu.model"),
            Row.Record("CPU stepping, microcode", facts => $"{facts.Text("cpu.stepping")}, {facts.Text("cpu.microcode")}"),
            Row.Record("cores online", "cpu.online"),
            Row.Must("core kinds", facts => facts.Text("cpu.kinds"), _ => false, Penalty.Warn,
                "fast and slow cores in one machine: give workloads cores of one kind (LAB_CPUS in /etc/perf-lab/machine.conf takes the others)")
                .When((facts, _) => facts.Text("cpu.kinds").Contains("), "))),

        // Who chooses the clock frequency, and between which limits. A virtual machine usually has no such folder.
        new(7, ["frequency.governor", "frequency.driver", "frequency.least", "frequency.most"],
            Row.Fact("frequency.governor", scan => scan.PerCpu("cpufreq/scaling_governor")),
            Row.Fact("frequency.driver", scan => scan.PerCpu("cpufreq/scaling_driver")),
            Row.Fact("frequency.least", scan => scan.PerCpu("cpufreq/scaling_min_freq")),
            Row.Fact("frequency.most", scan => scan.PerCpu("cpufreq/scaling_max_freq")),
            Row.Must("frequency governor", "frequency.governor", "performance", Penalty.RefuseOnMetal,
                "the frequency follows the load: echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"),
            Row.Record("frequency driver", facts => facts.Text("frequency.driver") is var driver and not MachineFiles.Absent
                ? $"{driver}, {facts.Text("frequency.least")} to {facts.Text("frequency.most")} kHz" : MachineFiles.Absent)),

        // Boost ("turbo"): a clock that depends on temperature and on what the other cores do.
        new(8, ["boost"],
            Row.Fact("boost.cpufreq", scan => scan.Whole(Cpus + "/cpufreq/boost")),
            Row.Fact("boost.intelNoTurbo", scan => scan.Whole(Cpus + "/intel_pstate/no_turbo")),
            Row.Fact("boost.amdPstate", scan => scan.Line(Cpus + "/amd_pstate/status")),
            Row.Fact("boost.perCore", scan => scan.PerCpu("cpufreq/boost")),
            Row.Must("boost", Boost, "off", Penalty.RefuseOnMetal,
                "the clock depends on temperature and neighbours: echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost (Intel: echo 1 into intel_pstate/no_turbo)")),

        // Two threads on one core ("hyper-threading"): each takes what the other leaves.
        new(9, ["smt.active", "smt.siblings"],
            Row.Fact("smt.active", scan => scan.Whole(Cpus + "/smt/active")),
            Row.Fact("smt.control", scan => scan.Line(Cpus + "/smt/control")),
            Row.Fact("smt.siblings", scan => scan.PerCpu("topology/thread_siblings_list", KernelText.SomeCpus)),
            Row.Fact("smt.sharedWithLab", SharedWithLab),
            Row.Must("SMT", facts => facts.Switch("smt.active"), "off", Penalty.RefuseOnMetal,
                "two threads share a core: echo off | sudo tee /sys/devices/system/cpu/smt/control"),
            Row.Must("cores that workloads share with the lab", "smt.sharedWithLab", "none", Penalty.Refuse,
                $"one thread of a core for the lab and the other for workloads: give whole cores in LAB_CPUS of {LabMachine.File}")),

        // How deep an idle core sleeps: waking up from a deep state takes tens to hundreds of microseconds.
        new(11, ["idle"],
            Row.Fact("idle.driver", scan => scan.Line(Cpus + "/cpuidle/current_driver")),
            Row.Fact("idle.states", scan => IdleStates(scan, _ => true)),
            Row.Fact("idle.deep", scan => IdleStates(scan, state => KernelText.Whole(scan.Files.Text(state + "/latency") ?? "") > DeepFrom
                && KernelText.Whole(scan.Files.Text(state + "/disable") ?? "") is not 1)),
            Row.Must("deep idle states", "idle.deep", "none", Penalty.WarnOnMetal,
                "cores that slept deeply answer late: sudo cpupower idle-set -D 10, or boot with processor.max_cstate=1"),
            Row.Record("idle driver", facts => $"{facts.Text("idle.driver")}, states {facts.Text("idle.states")}")),

        // Heat: a processor that is too hot clocks itself down. A virtual machine shows nothing of it.
        new(25, [],
            Row.Fact("thermal.hottestCelsius", scan => scan.Found(Thermometers.Find(scan.Files), found => Thermometers.Hottest(scan.Files, found))),
            Row.Fact("thermal.throttled", scan => scan.Found(ThrottleCounts.Find(scan.Files), found => ThrottleCounts.Sum(scan.Files, found))),
            Row.Record("hottest sensor", facts => facts.Format("thermal.hottestCelsius", "0.0", " C")),
            Row.Record("clocked down by heat since boot", "thermal.throttled")),

        // The clock that the cores really had, where the processor's own counters can be read (ACPI CPPC: APERF and MPERF as text).
        new(26, [],
            Row.Fact("realFrequency", scan => scan.Found(FeedbackCounters.Find(scan.Files), found => FeedbackCounters.Read(scan.Files, found)?.SinceBoot)),
            Row.Record("real frequency over nominal, since boot", facts => facts.Format("realFrequency", "0.000"))),
    ];

    // Intel names its two kinds (/sys/devices/cpu_core, cpu_atom); elsewhere the scheduler's capacities tell fast from slow.
    private static JsonNode Kinds(MachineScan scan) =>
        scan.Files.Exists("/sys/devices/cpu_atom/cpus")
            ? $"fast ({scan.Cpus("/sys/devices/cpu_core/cpus")}), slow ({scan.Cpus("/sys/devices/cpu_atom/cpus")})"
            : scan.PerCpu("cpu_capacity");

    private static string Boost(FactReader facts)
    {
        string[] words =
        [
            Word(facts.Text("boost.cpufreq"), on: "1", off: "0"),
            Word(facts.Text("boost.intelNoTurbo"), on: "0", off: "1"),
            Word(facts.Text("boost.perCore"), on: "1", off: "0"),
        ];
        return new[] { "on", MachineFiles.Unknown, "off" }.FirstOrDefault(words.Contains) ?? MachineFiles.Absent;
    }

    // Cores that disagree ("0 (0-3), 1 (4-7)") are on.
    private static string Word(string value, string on, string off) =>
        value is MachineFiles.Absent or MachineFiles.Unknown ? value
        : value == off ? "off"
        : value == on || value.Contains('(') ? "on"
        : MachineFiles.Unknown;

    private static JsonNode SharedWithLab(MachineScan scan)
    {
        if (scan.WorkloadCpus is not { } workload)
        {
            return MachineFiles.Absent;
        }

        return MachineScan.List(CpuList.Format([.. workload.Where(cpu =>
            CpuList.TryParse(scan.Files.Text($"{Cpus}/cpu{cpu}/topology/thread_siblings_list") ?? "", out var siblings)
            && siblings.Intersect(scan.Lab.Cpus!).Any())]));
    }

    private static JsonNode IdleStates(MachineScan scan, Func<string, bool> wanted)
    {
        var states = scan.Files.Names(IdleFolder).Where(name => name.StartsWith("state", StringComparison.Ordinal)).Take(MostIdleStates).ToList();
        return states.Count == 0 ? MachineFiles.Absent
            : MachineScan.List(states.Select(state => $"{IdleFolder}/{state}").Where(wanted).Select(state => scan.Line(state + "/name").ToString()));
    }
}
