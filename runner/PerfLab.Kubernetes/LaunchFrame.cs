using System.Text.RegularExpressions;
using PerfLab.Core.Model;
using PerfLab.Launching.Results;
using PerfLab.Launching;
using PerfLab.Machine.Facts;

namespace PerfLab.Kubernetes;

/// <summary>
/// What a pod's log holds: what the program printed, and after it the frame of <see cref="LaunchScript"/>. All of it is hostile input.
/// </summary>
internal sealed partial class LaunchFrame
{
    /// <summary>Results, the JIT's list and traces of one launch, in base64.</summary>
    public const long MostOfLog = 160 << 20;

    /// <summary>Of the log's end: enough for all that /out may hold. What was printed before is not read, however much it is.</summary>
    public const int MostLines = 8_000;

    private const int MostFiles = 64;
    private static readonly byte[] Start = Encoding.UTF8.GetBytes("\n" + LaunchScript.Header + "\n");

    private readonly Dictionary<string, string> kernel = new(StringComparer.Ordinal);
    private readonly List<string> left = [];
    private readonly List<(string Name, byte[]? Content, long Length)> files = [];

    private LaunchFrame(string tail) => Tail = tail;

    /// <summary>Enough of what was printed last to say why it ended.</summary>
    public string Tail { get; }

    /// <summary>Why the frame is not whole; null when it is, or when there is none because the program was ended.</summary>
    public string? Damage { get; private set; }

    public bool IsThere { get; private set; }

    public static LaunchFrame Read(ReadOnlySpan<byte> log)
    {
        var at = log.LastIndexOf(Start);
        var printed = at < 0 ? log : log[..at];
        var tail = new OutputTail();
        tail.Add(printed);
        var frame = new LaunchFrame(tail.All());
        if (at >= 0)
        {
            frame.IsThere = true;
            frame.Parse(Encoding.ASCII.GetString(log[(at + Start.Length)..]).Split('\n'));
        }

        return frame;
    }

    /// <summary>Writes the files into a folder of ours that is empty.</summary>
    public void WriteTo(string folder)
    {
        foreach (var (name, content, length) in files)
        {
            using var file = new FileStream(Path.Combine(folder, name), FileMode.CreateNew);
            file.Write(content ?? []);
            file.SetLength(length); // one that claims to be larger than can be is refused for its length, as it would be from a folder
        }
    }

    /// <summary>What the kernel counted, and the cage as its first process saw it.</summary>
    public void ReadInto(JsonObject evidence)
    {
        if (Text("/proc/self/status") is { } status)
        {
            var inside = InnerStatus.Read(status);
            evidence["inside"] = inside;
            if (CpuList.TryParse(inside["cpus"]!.ToString(), out _))
            {
                evidence["cpus"] = inside["cpus"]!.ToString();
            }
        }

        Put(evidence, "peakMemoryBytes", Number("/sys/fs/cgroup/memory.peak") ?? Number("/sys/fs/cgroup/memory/memory.max_usage_in_bytes"));
        Put(evidence, "cpuSeconds",
            Field("/sys/fs/cgroup/cpu.stat", "usage_usec") / 1e6 ?? Number("/sys/fs/cgroup/cpuacct/cpuacct.usage") / 1e9);
        Put(evidence, "throttledSeconds",
            Field("/sys/fs/cgroup/cpu.stat", "throttled_usec") / 1e6 ?? Field("/sys/fs/cgroup/cpu/cpu.stat", "throttled_time") / 1e9);
        if (Text("cpu")?.Split(':', 2) is [_, var model])
        {
            evidence["cpuModel"] = Quote.Of(model.Trim());
        }

        if (Text("/proc/version")?.Split(' ') is [_, _, var release, ..])
        {
            evidence["kernel"] = Quote.Of(release);
        }

        if (left.Count > 0)
        {
            evidence["notCopied"] = new JsonArray([.. left.Select(name => (JsonNode)$"{name} is no regular file")]);
        }
    }

    /// <summary>Whether the kernel ended one of its processes at the memory limit.</summary>
    public bool OutOfMemory =>
        (Field("/sys/fs/cgroup/memory.events", "oom_kill") ?? Field("/sys/fs/cgroup/memory/memory.oom_control", "oom_kill")) > 0;

    private void Parse(string[] lines)
    {
        var at = 0;
        while (at < lines.Length)
        {
            switch (lines[at++].Split(' '))
            {
                case ["kernel", var name, var text]:
                    kernel[name] = text;
                    break;
                case ["other", var name]:
                    left.Add(Quote.Of(name));
                    break;
                case ["big", var name, var size] when IsName(name) && TryLength(size, out var length):
                    files.Add((name, null, length > LaunchScript.MostOfFile ? LaunchScript.MostOfFile + 1 : length));
                    break;
                case ["file", var name, var size] when IsName(name) && TryLength(size, out var length):
                    var content = Decoded(lines, ref at);
                    if (content?.Length != length)
                    {
                        Damage = $"the log holds {content?.Length ?? 0} of the {length} bytes of {name}: it was cut or rotated by the node";
                        return;
                    }

                    files.Add((name, content, length));
                    break;
                case ["end", _]:
                    return;
                default:
                    Damage = "the log ends within the results, or holds something else there: it was cut or rotated by the node";
                    return;
            }
        }

        Damage = "the log ends within the results: it was cut or rotated by the node";
    }

    private bool IsName(string name) => files.Count < MostFiles && FileName().IsMatch(name) && files.TrueForAll(file => file.Name != name);

    private static bool TryLength(string text, out long length) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out length);

    private static byte[]? Decoded(string[] lines, ref int at)
    {
        var text = new StringBuilder();
        while (at < lines.Length && lines[at] != ".")
        {
            text.Append(lines[at++]);
        }

        at++;
        return FromBase64(text.ToString());
    }

    private static byte[]? FromBase64(string text)
    {
        var bytes = new byte[text.Length / 4 * 3];
        return Convert.TryFromBase64String(text, bytes, out var count) ? bytes[..count] : null;
    }

    private static void Put(JsonObject evidence, string name, double? value)
    {
        if (value is { } known)
        {
            evidence[name] = known;
        }
    }

    private string? Text(string name) => kernel.GetValueOrDefault(name) is { Length: > 0 } text && FromBase64(text) is { } bytes
        ? Encoding.UTF8.GetString(bytes) : null;

    private double? Number(string name) => Parsed(Text(name));

    /// <summary>"name value" a line.</summary>
    private double? Field(string file, string name) => Parsed(Text(file)?.Split('\n').Select(line => line.Split(' '))
        .FirstOrDefault(pair => pair.Length == 2 && pair[0] == name)?[1]);

    private static double? Parsed(string? text) =>
        long.TryParse(text?.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;

    [GeneratedRegex(@"^[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}\z", RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex FileName();
}
