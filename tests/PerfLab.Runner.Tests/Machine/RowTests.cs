using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;

namespace PerfLab.Runner.Tests.Machine;

/// <summary>What each row says when its file says the wrong thing: under each policy, with what to do.</summary>
public sealed class RowTests : IDisposable
{
    private readonly FakeMachine machine = new();

    public void Dispose() => machine.Dispose();

    [Theory]
    [InlineData("/proc/cpuinfo", "flags\t: fpu hypervisor\n", "hypervisor", "virtual machine", "record", "refuse")]
    [InlineData("/proc/version", "Linux version 6.9.0-1 (x)\n", "pinned kernel", "6.9.0-1", "refuse", "refuse")]
    [InlineData("/sys/devices/system/cpu/vulnerabilities/spec_store_bypass", "Mitigation: Speculative Store Bypass disabled via prctl and seccomp\n", "speculation behind seccomp", null, "refuse", "refuse")]
    [InlineData("/proc/self/status", "Speculation_Store_Bypass:\tthread force mitigated\n", "speculation of this process", "forced off (the kernel says: thread force mitigated)", "refuse", "refuse")]
    [InlineData("/sys/devices/system/cpu/cpu5/cpufreq/scaling_governor", "powersave\n", "frequency governor", "performance (0), powersave (5)", "record", "refuse")]
    [InlineData("/sys/devices/system/cpu/cpufreq/boost", "1\n", "boost", "on", "record", "refuse")]
    [InlineData("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n", "boost", "on", "record", "refuse")]
    [InlineData("/sys/devices/system/cpu/cpu0/cpufreq/boost", "1\n", "boost", "on", "record", "refuse")]
    [InlineData("/sys/devices/system/cpu/smt/active", "1\n", "SMT", "on", "record", "refuse")]
    [InlineData("/sys/devices/system/cpu/cpu2/topology/thread_siblings_list", "1-2\n", "cores that workloads share with the lab", "2", "refuse", "refuse")]
    [InlineData("/etc/perf-lab/machine.conf", "KIND=metal\n", "cores for workloads", "not split", "refuse", "refuse", "record")]
    [InlineData("/etc/perf-lab/machine.conf", "LAB_CPUS=0-9\n", "cores for workloads", ", lab 0-9", "refuse", "refuse")]
    [InlineData("/sys/fs/cgroup/system.slice/cpuset.cpus.effective", "0-2\n", "cores for workloads", "2,5, lab 0-1", "refuse", "refuse")]
    [InlineData("/sys/fs/cgroup/cgroup.controllers", "cpu memory pids\n", "cpuset controller", "no", "refuse", "refuse")]
    [InlineData("/sys/devices/system/cpu/isolated", "2,5\n", "isolcpus", "2,5", "warn", "warn")]
    [InlineData("/sys/devices/system/cpu/cpu0/cpuidle/state2/disable", "0\n", "deep idle states", "C2", "record", "warn")]
    [InlineData("/proc/irq/24/smp_affinity_list", "0-5\n", "interrupts that reach the workloads' cores", "1", "warn", "warn")]
    [InlineData("/proc/4711/comm", "irqbalance\n", "interrupt balancer", "irqbalance", "warn", "warn")]
    [InlineData("/proc/sys/kernel/randomize_va_space", "0\n", "address space randomisation", "0", "refuse", "refuse")]
    [InlineData("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n", "transparent huge pages", "always", "refuse", "refuse")]
    [InlineData("/sys/devices/system/node/online", "0-1\n", "memory nodes", "2 (0-1)", "warn", "warn")]
    [InlineData("/proc/sys/kernel/nmi_watchdog", "1\n", "NMI watchdog", "on", "warn", "warn")]
    [InlineData("/sys/fs/cgroup/system.slice/runner.service/cpu.max", "50000 100000\n", "quota of processor time", "set", "refuse", "refuse")]
    [InlineData("/proc/4711/comm", "unattended-upgr\n", "package and disk jobs at work", "unattended-upgr", "refuse", "refuse")]
    [InlineData("/etc/systemd/system/apt-daily.timer", "[Timer]\n", "timers that start such jobs", "apt-daily.timer", "warn", "warn")]
    [InlineData("/proc/1/cgroup", "0::/docker/abc\n", "the lab in a container", "yes", "refuse", "refuse")]
    [InlineData("/.dockerenv", "", "the lab in a container", "yes", "refuse", "refuse")]
    [InlineData("/proc/self/uid_map", "0 1000 1\n", "user namespace (rootless)", "yes", "refuse", "refuse")]
    [InlineData("/sys/devices/system/cpu/cpu5/cpu_capacity", "512\n", "core kinds", "1024 (0), 512 (5)", "warn", "warn")]
    public void a_bad_setting_is_judged_by_policy_with_what_to_do(string path, string text, string name, string? value, string azure, string metal, string? any = null)
    {
        machine.Write(path, text);

        foreach (var (policy, severity) in new[] { (HygienePolicy.Azure, azure), (HygienePolicy.Metal, metal), (HygienePolicy.Any, any ?? (name == "hypervisor" ? "record" : "warn")) })
        {
            var finding = Find(policy, name);
            finding.Severity.ToString().ShouldBe(severity, policy.ToString(), StringCompareShould.IgnoreCase);
            finding.Value.ShouldBe(value ?? finding.Value);
            (finding.Fix is not null).ShouldBe(severity != "record");
        }
    }

    [Theory]
    [InlineData("Vulnerable\n", "as without it (the kernel says: Vulnerable)", HygieneSeverity.Ok)]
    [InlineData("Mitigation: via prctl and seccomp\n", "switched off (the kernel says: Mitigation: via prctl and seccomp)", HygieneSeverity.Refuse)]
    public void a_good_row_does_not_read_as_a_fault(string kernel, string value, HygieneSeverity severity)
    {
        machine.Write("/sys/devices/system/cpu/vulnerabilities/spec_store_bypass", kernel);

        var finding = Find(HygienePolicy.Metal, "speculation behind seccomp");
        (finding.Value, finding.Severity).ShouldBe((value, severity));
        Find(HygienePolicy.Metal, "speculation of this process").Value.ShouldBe("not forced off (the kernel says: thread vulnerable)");
    }

    [Fact]
    public void intels_two_kinds_of_cores_are_named()
    {
        machine.Write("/sys/devices/cpu_core/cpus", "0-7\n");
        machine.Write("/sys/devices/cpu_atom/cpus", "8-15\n");

        Find(HygienePolicy.Metal, "core kinds").Value.ShouldBe("fast (0-7), slow (8-15)");
    }

    [Fact]
    public void a_group_of_systemd_for_workloads_is_no_intruder()
    {
        machine.Write("/sys/fs/cgroup/perf.slice/cpuset.cpus.effective", "2,5\n");

        Find(HygienePolicy.Metal, "cores for workloads").Severity.ShouldBe(HygieneSeverity.Ok);
    }

    [Fact]
    public void a_virtual_machine_of_another_size_than_ordered_is_refused()
    {
        var facts = MachineFacts.Read(machine.Files, new FakeClocks());
        facts["instance"] = new System.Text.Json.Nodes.JsonObject { ["size"] = "Standard_D2s_v5", ["location"] = "westeurope", ["vmId"] = "1" };

        var size = HygieneJudge.Judge(facts, HygienePolicy.Azure).Single(finding => finding.Name == "size");
        (size.Severity, size.Value).ShouldBe((HygieneSeverity.Refuse, "Standard_D2s_v5 in westeurope, vmId 1"));
    }

    [Fact]
    public void what_cannot_be_read_is_not_proven_and_a_lab_says_so()
    {
        machine.Forbid("/proc/swaps");

        var finding = Find(HygienePolicy.Metal, "swap");
        (finding.Severity, finding.Value).ShouldBe((HygieneSeverity.Warn, "unknown"));
        finding.Fix!.ShouldContain("not proven");
        Find(HygienePolicy.Any, "swap").Severity.ShouldBe(HygieneSeverity.Record);
    }

    [Fact]
    public void the_conf_file_of_a_machine_is_read_and_never_executed()
    {
        machine.Write(LabMachine.File, "# KIND=azure\nKIND=\"metal\"\n KIND=azure\nLAB_CPUS='0,2'\nKERNEL=$(reboot)\nSIZE=\n");

        var lab = LabMachine.Read(machine.Files);
        (lab.Kind, lab.Kernel, lab.Size).ShouldBe((HygienePolicy.Metal, "$(reboot)", null));
        lab.Cpus.ShouldBe([0, 2]);
    }

    [Theory]
    [InlineData("/proc/version", "kernel")]
    [InlineData("/sys/devices/system/cpu/online", "cpu.online")]
    [InlineData("/sys/devices/system/cpu/vulnerabilities/meltdown", "mitigations")]
    [InlineData("/sys/devices/system/cpu/cpufreq/boost", "boost")]
    [InlineData("/proc/swaps", "swapKiB")]
    public void what_must_stay_the_same_is_missed_when_it_changes(string path, string fact)
    {
        var before = MachineFacts.Read(machine.Files, new FakeClocks());
        machine.Write(path, "Filename x\n/swap file 5 0 0\n");
        var after = MachineFacts.Read(machine.Files, new FakeClocks());

        HygieneJudge.Differences(before, after).ShouldHaveSingleItem().ShouldStartWith(fact + " was ");
        HygieneJudge.Differences(before, before).ShouldBeEmpty();
    }

    [Fact]
    public void interrupts_of_devices_on_the_workloads_cores_are_counted()
    {
        machine.Write("/proc/interrupts", "           CPU0       CPU1       CPU2       CPU5\n 24:          1          0          7          5   IO-APIC  edge\nLOC:  9 9 9 9 Local timer\n 25: 1 1 100 1000 x\nERR: 0\n");
        WorkloadInterrupts.Sum(new MachineScan(machine.Files, new FakeClocks())).ShouldBe(1112);

        machine.Write("/proc/interrupts", "CPU0 CPU1\n 24: 1 2 x\n");
        WorkloadInterrupts.Sum(new MachineScan(machine.Files, new FakeClocks())).ShouldBeNull("a core is missing");
    }

    [Theory]
    [InlineData("6,339,5140900,-;mce: [Hardware Error]: Machine check events logged", true)]
    [InlineData("3,1,1,-;EDAC MC0: 1 CE memory read error", true)]
    [InlineData("4,1,1,-;CPU3: Core temperature above threshold, cpu clock throttled (total events = 1)", true)]
    [InlineData("3,1,1,-;INFO: task kworker blocked for more than 120 seconds.", true)]
    [InlineData("3,1,1,-;Memory cgroup out of memory: Killed process 4711 (dotnet)", false)]
    [InlineData("6,1,1,-;veth0: renamed from eth0", false)]
    [InlineData("", false)]
    public void trouble_is_told_from_the_daily_talk_of_the_kernel(string record, bool isTrouble) => (KernelTrouble.Of(record) is not null).ShouldBe(isTrouble);

    private HygieneFinding Find(HygienePolicy policy, string name) =>
        HygieneJudge.Judge(MachineFacts.Read(machine.Files, new FakeClocks(), new DiskSpace(50, 100)), policy).Single(finding => finding.Name == name);
}
