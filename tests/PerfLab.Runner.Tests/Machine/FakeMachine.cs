using PerfLab.Runner.Machine;

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

    public static IReadOnlyDictionary<string, string> Quiet { get; } = new SortedDictionary<string, string>(StringComparer.Ordinal)
    {
        ["/proc/cpuinfo"] = "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 33\nmodel name\t: AMD Ryzen 9 5950X 16-Core Processor\nstepping\t: 2\nmicrocode\t: 0xa20120a\n\nprocessor\t: 1\n",
        ["/proc/sys/kernel/random/boot_id"] = BootId + "\n",
        ["/proc/version"] = "Linux version 6.8.0-41-generic (build@host) (gcc) #41-Ubuntu SMP\n",
        ["/proc/cmdline"] = "BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro quiet\n",
        ["/sys/kernel/mm/transparent_hugepage/enabled"] = "always [madvise] never\n",
        ["/sys/kernel/mm/transparent_hugepage/defrag"] = "always defer defer+madvise [madvise] never\n",
        ["/proc/swaps"] = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n",
        ["/sys/devices/system/clocksource/clocksource0/current_clocksource"] = "tsc\n",
        ["/sys/devices/system/cpu/online"] = "0-2,5\n",
        ["/proc/stat"] = "cpu  100 0 100 9800 0 0 0 0 0 0\ncpu0 25 0 25 2450 0 0 0 0 0 0\nintr 1 2 3\n",
        ["/proc/loadavg"] = "0.08 0.02 0.01 1/300 4711\n",
        ["/proc/vmstat"] = "nr_free_pages 5\npswpin 0\npswpout 0\noom_kill 0\n",
        ["/sys/fs/cgroup/cgroup.controllers"] = "cpuset cpu io memory pids\n",
    };

    public MachineFiles Files { get; }

    public string Folder => root.FullName;

    public void Write(string path, string text)
    {
        var file = At(path);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllText(file, text);
    }

    public void Remove(string path) => File.Delete(At(path));

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

    public void Pass(TimeSpan time) => (Wall, Monotonic) = (Wall + time, Monotonic + time);
}
