using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>
/// One row of the hygiene table (docs/machines.md): facts of the machine, and the lines that doctor says about them. Judging needs nothing
/// but facts, so that a report made elsewhere says the same as doctor did here.
/// </summary>
/// <param name="Constant">Facts that must not change while values are compared: base and head are measured minutes apart.</param>
/// <param name="Parts">What the journal records, in this order, and what doctor says.</param>
internal sealed record HygieneRow(int Number, string[] Constant, params HygienePart[] Parts)
{
    public void Read(MachineScan scan, JsonObject facts)
    {
        foreach (var (path, read) in Parts.OfType<HygieneFact>())
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
        Parts.OfType<HygieneLine>().Select(line => line.Judge(Number, facts, policy)).OfType<HygieneFinding>();
}

internal abstract record HygienePart;

/// <summary>A fact by its dotted path. Reading never throws; null leaves it out.</summary>
internal sealed record HygieneFact(string Path, Func<MachineScan, JsonNode?> Read) : HygienePart;

/// <summary>Says one thing about the facts; null when it does not apply.</summary>
internal sealed record HygieneLine(Func<int, FactReader, HygienePolicy, HygieneFinding?> Judge) : HygienePart;
