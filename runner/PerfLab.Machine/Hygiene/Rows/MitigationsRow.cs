using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>What the kernel does against faults of the processor: some of it costs tens of percent.</summary>
internal sealed class MitigationsRow() : HygieneRow(5)
{
    private const string Folder = "/sys/devices/system/cpu/vulnerabilities";
    private const int MostFaults = 100;

    public override IReadOnlyList<string> Constant => ["mitigations"];

    public override void Read(MachineScan scan, JsonObject facts) => facts["mitigations"] = scan.Files.Names(Folder) is { Count: > 0 } names
        ? new JsonObject(names.Take(MostFaults).Select(name => KeyValuePair.Create(name, (JsonNode?)scan.Line($"{Folder}/{name}"))))
        : JsonValue.Create(scan.Files.Exists(Folder) ? MachineFiles.Unknown : MachineFiles.Absent);

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var faults = facts.Members("mitigations").ToList();
        var mitigated = faults.Count(fault => fault.Value.StartsWith("Mitigation", StringComparison.Ordinal));
        var open = faults.Where(fault => fault.Value.StartsWith("Vulnerable", StringComparison.Ordinal)).Select(fault => fault.Name).ToList();
        yield return Recorded("mitigations", faults.Count == 0
            ? facts.Text("mitigations")
            : $"{mitigated} on, {(open.Count == 0 ? "none missing" : $"missing against {string.Join(", ", open)}")}, {faults.Count} known");
    }
}
