using System.Text.Json.Nodes;

namespace PerfLab.Runner.Machine;

/// <summary>What a finding means for a session.</summary>
public enum HygieneSeverity { Ok, Record, Warn, Refuse }

/// <summary>One row of the hygiene table, judged.</summary>
/// <param name="Row">Its number in docs/machine.md.</param>
/// <param name="Name">What was looked at.</param>
/// <param name="Value">What was found: a value, "absent" or "unknown".</param>
/// <param name="Severity">What follows.</param>
/// <param name="Fix">What is wrong and what to do; null when nothing is.</param>
public sealed record HygieneFinding(int Row, string Name, string Value, HygieneSeverity Severity, string? Fix = null);

/// <summary>Judges a fingerprint before anything is launched: pure, so that doctor and session say the same.</summary>
public static class Hygiene
{
    /// <summary>Load per core above which something else is at work.</summary>
    public const double MostLoad = 0.05;

    /// <summary>Findings in the order of the table.</summary>
    /// <param name="facts">As <see cref="MachineFacts.Read"/> gives them, or a journal's; members that are missing count as unknown.</param>
    /// <param name="policy">Under "any" nothing is refused.</param>
    public static IReadOnlyList<HygieneFinding> Judge(JsonObject facts, HygienePolicy policy)
    {
        var judge = new HygieneJudge(new FactReader(facts), policy);
        return
        [
            judge.Recorded(1, "CPU", "cpu.model"),
            judge.Recorded(1, "CPU stepping", "cpu.stepping"),
            judge.Recorded(1, "CPU microcode", "cpu.microcode"),
            judge.BootId(),
            judge.Kernel(),
            judge.Recorded(4, "kernel command line", "commandLine"),
            judge.Recorded(14, "transparent huge pages", "hugePages.enabled"),
            judge.Swap(),
            judge.ClockSource(),
            judge.Recorded(19, "wall clock against monotonic", "clockOffsetSeconds"),
            judge.Steal(),
            judge.Recorded(24, "kills for want of memory since boot", "memoryKills"),
            judge.Load(),
            judge.Disk(),
            judge.Recorded(31, "executor", "executor.executor"),
            judge.Cgroup(),
            judge.Recorded(32, ".NET of the runner", "dotnet.runner"),
        ];
    }
}

/// <summary>Facts by dotted path, as text or number.</summary>
internal sealed class FactReader(JsonObject facts)
{
    public string Text(string path) => Node(path) switch
    {
        null => MachineFiles.Unknown,
        JsonValue value when value.TryGetValue<string>(out var text) => text,
        var node => node.ToJsonString(),
    };

    // A value that was made here keeps its type, one that was read from a journal is any number.
    public double? Number(string path) => Node(path) switch
    {
        JsonValue value when value.TryGetValue<long>(out var whole) => whole,
        JsonValue value when value.TryGetValue<double>(out var number) => number,
        _ => null,
    };

    /// <summary>Cores online; 1 when the machine does not say.</summary>
    public int Cores => CpuList.TryParse(Text("cpu.online"), out var cpus) && cpus.Count > 0 ? cpus.Count : 1;

    private JsonNode? Node(string path) =>
        path.Split('.').Aggregate((JsonNode?)facts, (node, name) => (node as JsonObject)?[name]);
}
