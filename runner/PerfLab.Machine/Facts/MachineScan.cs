using PerfLab.Core.Model;

namespace PerfLab.Machine.Facts;

/// <summary>One look at the machine: its files, and what several rows need of them, read once.</summary>
internal sealed class MachineScan(MachineFiles files, TimeProvider time)
{
    public MachineFiles Files => files;

    public TimeProvider Time => time;

    /// <summary>Where the session writes; null when nobody asked.</summary>
    public DiskSpace? Disk { get; init; }

    /// <summary>What the launcher says about itself; null when there is none.</summary>
    public JsonObject? Executor { get; init; }

    public LabMachine Lab { get; } = LabMachine.Read(files);

    /// <summary>Cores online; empty when the machine does not say.</summary>
    public IReadOnlyList<int> Online { get; } = CpuList.TryParse(files.Text("/sys/devices/system/cpu/online") ?? "", out var cpus) ? cpus : [];

    /// <summary>Cores that are kept for workloads; null when nobody has split the machine.</summary>
    public IReadOnlyList<int>? WorkloadCpus => Lab.Cpus is { } lab && Online.Count > 0 ? [.. Online.Except(lab)] : null;

    /// <summary>Names of the programs that run now, as the kernel cuts them (15 characters).</summary>
    public IReadOnlyList<string> Programs => field ??=
    [
        .. Files.Names("/proc").Where(name => name.AsSpan().IndexOfAnyExceptInRange('0', '9') < 0)
            .Select(name => Files.Text($"/proc/{name}/comm")?.Trim()).OfType<string>().Where(name => name.Length is > 0 and < 64).Distinct(StringComparer.Ordinal),
    ];

    /// <summary>"cpu0", "cpu1" …; "cpu10" comes after "cpu9".</summary>
    private IReadOnlyList<string> CpuFolders => field ??=
    [
        .. Files.Names("/sys/devices/system/cpu")
            .Where(name => name.StartsWith("cpu", StringComparison.Ordinal) && name.Length > 3 && name.AsSpan(3).IndexOfAnyExceptInRange('0', '9') < 0)
            .Take(CpuList.Most).OrderBy(NumberOf),
    ];

    public CgroupFiles Cgroup => field ??= new(Files);

    /// <summary>One line of text, "absent" or "unknown".</summary>
    public JsonNode Line(string path) => Fact(path, KernelText.Line);

    /// <summary>A whole number of 0 or more, "absent" or "unknown".</summary>
    public JsonNode Whole(string path) => Fact(path, text => KernelText.Whole(text));

    public JsonNode Cpus(string path) => Fact(path, text => CpuList.TryParse(text, out var cpus) ? CpuList.Format(cpus) : null);

    /// <summary>The value of a "key : value" line.</summary>
    public JsonNode Field(string path, string key) => Fact(path, text => KernelText.Field(text, key));

    /// <summary>What <paramref name="parse"/> makes of the file, or "absent", or "unknown" when it makes null of it.</summary>
    public JsonNode Fact(string path, Func<string, object?> parse, int most = MachineFiles.Usual) => Files.Fact(path, parse, most) switch
    {
        long number => number,
        double number => number,
        var text => (string)text,
    };

    /// <summary>What several files say together: "absent" when none were found, "unknown" when they make no number.</summary>
    public JsonNode Found(IReadOnlyList<string> found, Func<IReadOnlyList<string>, double?> read) =>
        found.Count == 0 ? MachineFiles.Absent : read(found) is { } number ? number : MachineFiles.Unknown;

    /// <summary>Words one after the other, "none" when there are none.</summary>
    public static string List(params IEnumerable<string> words) => string.Join(", ", words) is { Length: > 0 } list ? list : "none";

    /// <summary>The same file of every core: "performance" where all agree, "performance (0-3), powersave (4-7)" where they don't.</summary>
    public JsonNode PerCpu(string file, Func<string, string?>? parse = null)
    {
        var read = parse ?? KernelText.Line;
        var groups = CpuFolders
            .Select(cpu => (Cpu: NumberOf(cpu), Value: (string)Files.Fact($"/sys/devices/system/cpu/{cpu}/{file}", read)))
            .Where(seen => seen.Value != MachineFiles.Absent)
            .GroupBy(seen => seen.Value, StringComparer.Ordinal).ToList();
        return groups switch
        {
            [] => MachineFiles.Absent,
            [var all] => all.Key,
            _ => string.Join(", ", groups.Take(8).Select(group => $"{group.Key} ({CpuList.Format([.. group.Select(seen => seen.Cpu)])})")),
        };
    }

    private static int NumberOf(string cpu) => int.TryParse(cpu.AsSpan(3), NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : int.MaxValue;
}
