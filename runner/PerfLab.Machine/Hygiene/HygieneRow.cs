using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>
/// One row of the hygiene table (docs/machine.md): facts of the machine, and the lines that doctor says about them. Judging needs nothing
/// but facts, so that a report made elsewhere says the same as doctor did here.
/// </summary>
/// <param name="Number">Its number in the table.</param>
/// <param name="Facts">What the journal records, by dotted path and in this order. Reading never throws; null leaves the fact out.</param>
/// <param name="Constant">Facts that must not change while values are compared: base and head are measured minutes apart.</param>
/// <param name="Lines">What doctor says.</param>
internal sealed record HygieneRow(int Number, (string Path, Func<MachineScan, JsonNode?> Read)[] Facts, string[] Constant, HygieneLine[] Lines)
{
    public void Read(MachineScan scan, JsonObject facts)
    {
        foreach (var (path, read) in Facts)
        {
            if (read(scan) is { } value)
            {
                var names = path.Split('.');
                var parent = names.Length > 1 ? (JsonObject)(facts[names[0]] ??= new JsonObject()) : facts;
                parent[names[^1]] = value;
            }
        }
    }

    public IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy) =>
        Lines.Select(line => line(Number, facts, policy)).OfType<HygieneFinding>();
}

/// <summary>Says one thing about the facts; null when it does not apply.</summary>
internal delegate HygieneFinding? HygieneLine(int row, FactReader facts, HygienePolicy policy);
