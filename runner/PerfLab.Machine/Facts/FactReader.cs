using PerfLab.Core.Model;

namespace PerfLab.Machine.Facts;

/// <summary>Facts by dotted path, as text or number; a journal of another lab may hold anything.</summary>
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

    /// <summary>A number with its unit, or the text that stands in its place.</summary>
    public string Format(string path, string format, string unit = "", double factor = 1) =>
        Number(path) is { } number ? (number * factor).ToString(format, CultureInfo.InvariantCulture) + unit : Text(path);

    /// <summary>0 and 1 in words.</summary>
    public string Switch(string path) => Text(path) switch { "0" => "off", "1" => "on", var other => other };

    public bool Has(string path) => Node(path) is not null;

    /// <summary>Members of an object, as text; none when it is something else.</summary>
    public IEnumerable<(string Name, string Value)> Members(string path) =>
        Node(path) is JsonObject members ? members.Select(member => (member.Key, Text($"{path}.{member.Key}"))) : [];

    /// <summary>A list of cores; null for anything else.</summary>
    public IReadOnlyList<int>? Cpus(string path) => CpuList.TryParse(Text(path), out var cpus) ? cpus : null;

    /// <summary>Cores online; 1 when the machine does not say.</summary>
    public int Cores => Cpus("cpu.online") is { Count: > 0 } cpus ? cpus.Count : 1;

    private JsonNode? Node(string path) =>
        path.Split('.').Aggregate((JsonNode?)facts, (node, name) => (node as JsonObject)?[name]);
}
