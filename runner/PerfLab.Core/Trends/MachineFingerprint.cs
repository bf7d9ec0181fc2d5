using System.Security.Cryptography;
using PerfLab.Core.Model;

namespace PerfLab.Core.Trends;

/// <summary>
/// The make of a machine, from what the journal says of it: its processor, the cores that workloads get, its size. A cloud machine is made
/// anew for each session, so no serial number is part of it; kernel and microcode are not either, because a step that they make is what the
/// trend shall show as the machine's.
/// </summary>
public sealed record MachineFingerprint(string Text, string Cpu, JsonObject Facts)
{
    private const int MostChars = 200;

    private static readonly string[][] Paths =
    [
        ["cpu", "model"], ["cpu", "family"], ["cpu", "modelNumber"], ["cpu", "stepping"], ["cpu", "online"], ["split", "workload"],
        ["hypervisor", "orderedSize"], ["instance", "size"],
    ];

    public static MachineFingerprint Of(SessionHeader header)
    {
        var facts = new JsonObject();
        foreach (var path in Paths)
        {
            facts[string.Join('.', path)] = Fact(header.Machine, path);
        }

        var text = facts.ToJsonString();
        return new(Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)))[..12], (string)facts["cpu.model"]!, facts);
    }

    public SessionMachine In(string executor) => new(Text, Cpu, executor);

    private static string Fact(JsonObject machine, string[] path) =>
        (machine[path[0]] as JsonObject)?[path[1]] is JsonValue value ? UntrustedText.Line(value.ToString(), MostChars) : "unknown";
}
