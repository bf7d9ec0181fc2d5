using PerfLab.Machine.Facts;

namespace PerfLab.Runner.Tests.Machine;

/// <summary>A folder in the place of "/", holding what a quiet machine of the lab says; a test spoils one file.</summary>
public sealed class FakeMachine : IDisposable
{
    public const string BootId = "1f7b2a90-5c1e-4d0a-9d55-0e6f3a1b2c3d";

    private readonly DirectoryInfo root = Directory.CreateTempSubdirectory("perf-lab-test-");

    public FakeMachine()
    {
        Files = new MachineFiles(root.FullName);
        foreach (var (path, text) in Quiet)
        {
            Write(path, text);
        }
    }

    /// <summary>A metal machine of the lab: four cores with a gap, two of them for the lab, cgroup v2.</summary>
    public static IReadOnlyDictionary<string, string> Quiet { get; } = new SortedDictionary<string, string>(StringComparer.Ordinal)
    {
        ["/dev/kmsg"] = "6,1,100,-;Linux version 6.8.0\n",
        ["/etc/perf-lab/machine.conf"] = "# Read by perf-lab-quiet.\nKIND=metal\nLAB_CPUS=0-1\nKERNEL=6.8.0-41-generic\nSIZE=big\n",
        ["/etc/systemd/system/apt-daily.timer"] = LinkTo + "/dev/null",
        ["/proc/1/cgroup"] = "0::/init.scope\n",
        ["/proc/4711/comm"] = "dotnet\n",
        ["/proc/cmdline"] = "BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro quiet\n",
        ["/proc/cpuinfo"] = "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 33\nmodel name\t: AMD Ryzen 9 5950X 16-Core Processor\nstepping\t: 2\nmicrocode\t: 0xa20120a\nflags\t\t: fpu vme de tsc\n\nprocessor\t: 1\n",
        ["/proc/irq/24/smp_affinity_list"] = "0-1\n",
        ["/proc/loadavg"] = "0.08 0.02 0.01 1/300 4711\n",
        ["/proc/meminfo"] = "MemTotal:       65536000 kB\nDirty:               120 kB\n",
        ["/proc/pressure/cpu"] = "some avg10=0.00 avg60=0.00 avg300=0.00 total=5\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
        ["/proc/pressure/io"] = "some avg10=0.00 avg60=0.50 avg300=0.00 total=500\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=100\n",
        ["/proc/pressure/memory"] = "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
        ["/proc/schedstat"] = "version 15\ntimestamp 4297299139\ncpu0 0 0 0 0 0 0 900 2000000000 30\ndomain0 03 1 2 3\ncpu1 0 0 0 0 0 0 900 1000000000 30\ncpu2 0 0 0 0 0 0 900 0 30\ncpu5 0 0 0 0 0 0 900 0 30\n",
        ["/proc/self/cgroup"] = "0::/system.slice/runner.service\n",
        ["/proc/self/status"] = "Name:\tdotnet\nNoNewPrivs:\t0\nSeccomp:\t0\nSpeculation_Store_Bypass:\tthread vulnerable\nSpeculationIndirectBranch:\tconditional enabled\nCpus_allowed_list:\t0-1\n",
        ["/proc/self/uid_map"] = "         0          0 4294967295\n",
        ["/proc/stat"] = "cpu  100 0 100 9800 0 0 0 0 0 0\ncpu0 25 0 25 2450 0 0 0 0 0 0\ncpu1 25 0 25 2450 0 0 0 0 0 0\ncpu2 25 0 25 2450 0 0 0 0 0 0\ncpu5 25 0 25 2450 0 0 0 0 0 0\nintr 1 2 3\n",
        ["/proc/swaps"] = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n",
        ["/proc/sys/kernel/nmi_watchdog"] = "0\n",
        ["/proc/sys/kernel/numa_balancing"] = "0\n",
        ["/proc/sys/kernel/perf_event_max_sample_rate"] = "1\n",
        ["/proc/sys/kernel/random/boot_id"] = BootId + "\n",
        ["/proc/sys/kernel/randomize_va_space"] = "2\n",
        ["/proc/version"] = "Linux version 6.8.0-41-generic (build@host) (gcc) #41-Ubuntu SMP\n",
        ["/proc/vmstat"] = "nr_free_pages 5\npswpin 0\npswpout 0\noom_kill 0\n",
        ["/run/systemd/sessions/1"] = "UID=1000\n",
        ["/sys/block/nvme0n1/queue/scheduler"] = "[none] mq-deadline\n",
        ["/sys/class/dmi/id/chassis_asset_tag"] = "Default string\n",
        ["/sys/class/dmi/id/product_name"] = "X570\n",
        ["/sys/class/dmi/id/sys_vendor"] = "ASUS\n",
        ["/sys/class/hwmon/hwmon0/temp1_input"] = "41500\n",
        ["/sys/class/thermal/thermal_zone0/temp"] = "39000\n",
        ["/sys/devices/system/clocksource/clocksource0/current_clocksource"] = "tsc\n",
        ["/sys/devices/system/cpu/amd_pstate/status"] = "passive\n",
        ["/sys/devices/system/cpu/cpu0/acpi_cppc/feedback_ctrs"] = "ref:1000 del:1000\n",
        ["/sys/devices/system/cpu/cpu0/acpi_cppc/nominal_perf"] = "34\n",
        ["/sys/devices/system/cpu/cpu0/acpi_cppc/reference_perf"] = "34\n",
        ["/sys/devices/system/cpu/cpu0/cpu_capacity"] = "1024\n",
        ["/sys/devices/system/cpu/cpu0/cpufreq/boost"] = "0\n",
        ["/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver"] = "acpi-cpufreq\n",
        ["/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"] = "performance\n",
        ["/sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq"] = "3400000\n",
        ["/sys/devices/system/cpu/cpu0/cpufreq/scaling_min_freq"] = "2200000\n",
        ["/sys/devices/system/cpu/cpu0/cpuidle/state0/disable"] = "0\n",
        ["/sys/devices/system/cpu/cpu0/cpuidle/state0/latency"] = "0\n",
        ["/sys/devices/system/cpu/cpu0/cpuidle/state0/name"] = "POLL\n",
        ["/sys/devices/system/cpu/cpu0/cpuidle/state2/disable"] = "1\n",
        ["/sys/devices/system/cpu/cpu0/cpuidle/state2/latency"] = "18\n",
        ["/sys/devices/system/cpu/cpu0/cpuidle/state2/name"] = "C2\n",
        ["/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count"] = "3\n",
        ["/sys/devices/system/cpu/cpu0/topology/thread_siblings_list"] = "0\n",
        ["/sys/devices/system/cpu/cpu2/topology/thread_siblings_list"] = "2\n",
        ["/sys/devices/system/cpu/cpu5/cpufreq/scaling_governor"] = "performance\n",
        ["/sys/devices/system/cpu/cpu5/topology/thread_siblings_list"] = "5\n",
        ["/sys/devices/system/cpu/cpufreq/boost"] = "0\n",
        ["/sys/devices/system/cpu/cpuidle/current_driver"] = "acpi_idle\n",
        ["/sys/devices/system/cpu/intel_pstate/no_turbo"] = "1\n",
        ["/sys/devices/system/cpu/isolated"] = "\n",
        ["/sys/devices/system/cpu/nohz_full"] = "(null)\n",
        ["/sys/devices/system/cpu/online"] = "0-2,5\n",
        ["/sys/devices/system/cpu/smt/active"] = "0\n",
        ["/sys/devices/system/cpu/smt/control"] = "off\n",
        ["/sys/devices/system/cpu/vulnerabilities/meltdown"] = "Not affected\n",
        ["/sys/devices/system/cpu/vulnerabilities/spec_store_bypass"] = "Mitigation: Speculative Store Bypass disabled via prctl\n",
        ["/sys/devices/system/node/online"] = "0\n",
        ["/sys/fs/cgroup/cgroup.controllers"] = "cpuset cpu io memory pids\n",
        ["/sys/fs/cgroup/perf.slice/cgroup.procs"] = "\n",
        ["/sys/fs/cgroup/perf.slice/cpuset.cpus.effective"] = "0-2,5\n",
        ["/sys/fs/cgroup/system.slice/cgroup.procs"] = "4711\n",
        ["/sys/fs/cgroup/system.slice/cpuset.cpus.effective"] = "0-1\n",
        ["/sys/fs/cgroup/system.slice/runner.service/cpu.max"] = "max 100000\n",
        ["/sys/fs/cgroup/system.slice/runner.service/cpu.stat"] = "usage_usec 1\nnr_periods 0\nnr_throttled 0\nthrottled_usec 0\n",
        ["/sys/fs/cgroup/system.slice/runner.service/cpuset.cpus.effective"] = "0-1\n",
        ["/sys/fs/cgroup/system.slice/runner.service/cpuset.cpus.partition"] = "member\n",
        ["/sys/fs/cgroup/system.slice/runner.service/cpuset.mems.effective"] = "0\n",
        ["/sys/kernel/mm/transparent_hugepage/defrag"] = "always defer defer+madvise [madvise] never\n",
        ["/sys/kernel/mm/transparent_hugepage/enabled"] = "always [madvise] never\n",
        ["/usr/lib/systemd/system/apt-daily.timer"] = "[Timer]\n",
    };

    private const string LinkTo = "-> ";

    public MachineFiles Files { get; }

    public string Folder => root.FullName;

    public void Write(string path, string text)
    {
        var file = At(path);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.Delete(file);
        if (text.StartsWith(LinkTo, StringComparison.Ordinal) && text.Length < 100 && !text.Contains('\0'))
        {
            File.CreateSymbolicLink(file, text[LinkTo.Length..]);
        }
        else
        {
            File.WriteAllText(file, text);
        }
    }

    /// <summary>Adds to a file as the kernel does to its log, without replacing it.</summary>
    public void Append(string path, string text) => File.AppendAllText(At(path), text);

    public void Remove(string path) => File.Delete(At(path));

    /// <summary>Without this folder and all in it.</summary>
    public void RemoveFolder(string path) => Directory.Delete(At(path), recursive: true);

    /// <summary>As it was at first.</summary>
    public void Restore(string path)
    {
        if (Directory.Exists(At(path)))
        {
            Directory.Delete(At(path));
        }

        Write(path, Quiet[path]);
    }

    /// <summary>Puts something that exists and can't be read where the file was (for root no file is forbidden, but a folder is).</summary>
    public void Forbid(string path)
    {
        File.Delete(At(path));
        Directory.CreateDirectory(At(path));
    }

    public void Dispose() => root.Delete(recursive: true);

    private string At(string path) => Path.Combine(root.FullName, path.TrimStart('/'));
}

/// <summary>Two clocks that a test moves.</summary>
public sealed class FakeClocks : TimeProvider
{
    public DateTimeOffset Wall { get; set; } = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public TimeSpan Monotonic { get; set; } = TimeSpan.FromHours(5);

    /// <summary>How far the monotonic clock goes on at each reading.</summary>
    public Queue<TimeSpan> Gaps { get; } = [];

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override DateTimeOffset GetUtcNow() => Wall;

    public override long GetTimestamp()
    {
        Monotonic += Gaps.TryDequeue(out var gap) ? gap : TimeSpan.Zero;
        return Monotonic.Ticks;
    }

    /// <summary>Called whenever somebody waits; the time that he wants passes at once.</summary>
    public Action Waiting { get; set; } = () => { };

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        if (dueTime > TimeSpan.Zero)
        {
            Pass(dueTime);
            Waiting();
        }

        return System.CreateTimer(callback, state, dueTime == Timeout.InfiniteTimeSpan ? dueTime : TimeSpan.Zero, period);
    }

    public void Pass(TimeSpan time) => (Wall, Monotonic) = (Wall + time, Monotonic + time);
}
