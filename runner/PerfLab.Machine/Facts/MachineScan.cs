using PerfLab.Core.Model;

namespace PerfLab.Machine.Facts;

/// <summary>One look at the machine: its files, and what several rows need of them, read once.</summary>
internal sealed class MachineScan
{
    private readonly Lazy<IReadOnlyList<string>> _cpuFolders;
    private readonly Lazy<IReadOnlyList<string>> _programs;

    public MachineScan(MachineFiles files, TimeProvider time)
    {
        (Files, Time) = (files, time);
        Lab = LabMachine.Read(files);
        Online = CpuList.TryParse(files.Text("/sys/devices/system/cpu/online") ?? "", out var cpus) ? cpus : [];
        _cpuFolders = new(() => [.. files.Names("/sys/devices/system/cpu")
            .Where(name => name.StartsWith("cpu", StringComparison.Ordinal) && name.Length > 3 && name.AsSpan(3).IndexOfAnyExceptInRange('0', '9') < 0)
            .Take(CpuList.Most).Order(ByNumber.Instance)]);
        _programs = new(() => [.. files.Names("/proc")
            .Where(name => name.AsSpan().IndexOfAnyExceptInRange('0', '9') < 0)
            .Select(name => files.Text($"/proc/{name}/comm")?.Trim()).OfType<string>().Where(name => name.Length is > 0 and < 64)
            .Distinct(StringComparer.Ordinal)]);
    }

    public MachineFiles Files { get; }

    public TimeProvider Time { get; }

    /// <summary>Where the session writes; null when nobody asked.</summary>
    public DiskSpace? Disk { get; init; }

    /// <summary>What the launcher says about itself; null when there is none.</summary>
    public JsonObject? Executor { get; init; }

    public LabMachine Lab { get; }

    /// <summary>Cores online; empty when the machine does not say.</summary>
    public IReadOnlyList<int> Online { get; }

    /// <summary>Cores that are kept for workloads; null when nobody has split the machine.</summary>
    public IReadOnlyList<int>? WorkloadCpus => Lab.Cpus is { } lab && Online.Count > 0 ? [.. Online.Except(lab)] : null;

    /// <summary>Names of the programs that run now, as the kernel cuts them (15 characters).</summary>
    public IReadOnlyList<string> Programs => _programs.Value;

    /// <summary>One line of text, "absent" or "unknown".</summary>
    public JsonNode Line(string path) => Fact(path, KernelText.Line);

    /// <summary>A whole number of 0 or more, "absent" or "unknown".</summary>
    public JsonNode Whole(string path) => Fact(path, text => KernelText.Whole(text));

    public JsonNode Cpus(string path) => Fact(path, text => CpuList.TryParse(text, out var cpus) ? CpuList.Format(cpus) : null);

    public JsonNode Fact(string path, Func<string, object?> parse) => Files.Fact(path, parse) switch
    {
        long number => JsonValue.Create(number),
        double number => JsonValue.Create(number),
        var text => JsonValue.Create((string)text)!,
    };

    /// <summary>The same file of every core: "performance" where all agree, "performance (0-3), powersave (4-7)" where they don't.</summary>
    public JsonNode PerCpu(string file, Func<string, string?>? parse = null)
    {
        var read = parse ?? KernelText.Line;
        var groups = _cpuFolders.Value
            .Select(cpu => (Cpu: ByNumber.Of(cpu), Value: (string)Files.Fact($"/sys/devices/system/cpu/{cpu}/{file}", read)))
            .Where(seen => seen.Value != MachineFiles.Absent)
            .GroupBy(seen => seen.Value, StringComparer.Ordinal).ToList();
        return JsonValue.Create(groups switch
        {
            [] => MachineFiles.Absent,
            [var all] => all.Key,
            _ => string.Join(", ", groups.Take(8).Select(group => $"{group.Key} ({CpuList.Format([.. group.Select(seen => seen.Cpu)])})")),
        })!;
    }

    /// <summary>"cpu10" comes after "cpu9".</summary>
    private sealed class ByNumber : IComparer<string>
    {
        public static readonly ByNumber Instance = new();

        public static int Of(string? cpu) =>
            int.TryParse(cpu.AsSpan(3), System.Globalization.NumberStyles.None, System.Globalization.CultureInfo.InvariantCulture, out var number) ? number : int.MaxValue;

        public int Compare(string? x, string? y) => Of(x).CompareTo(Of(y));
    }
}
