using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>
/// One line of the hygiene table (docs/machine.md): which of the kernel's files say it, what they must say, and how to fix it. Reading
/// gives facts for the journal; judging needs nothing but facts, so that a report made elsewhere says the same as doctor did here.
/// </summary>
/// <param name="number">Its number in the table.</param>
internal abstract class HygieneRow(int number)
{
    private const string Unproven = "it exists and can't be read or understood, so it is not proven; run as root, or look at it by hand";

    public int Number { get; } = number;

    /// <summary>Facts that must stay the same as long as values are compared (dotted paths): base and head are measured minutes apart.</summary>
    public virtual IReadOnlyList<string> Constant => [];

    /// <summary>Adds its facts. Never throws.</summary>
    public abstract void Read(MachineScan scan, JsonObject facts);

    public abstract IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy);

    protected HygieneFinding Recorded(string name, string value) => new(Number, name, value, HygieneSeverity.Record);

    /// <summary>What is absent here is recorded. What can't be read is not proven: a lab says so where it would refuse.</summary>
    protected HygieneFinding Judged(string name, string value, bool good, (Penalty Otherwise, string Fix, HygienePolicy Policy) rule)
    {
        if (value is MachineFiles.Absent)
        {
            return Recorded(name, value);
        }

        var severity = rule.Otherwise.Under(rule.Policy);
        if (value is MachineFiles.Unknown)
        {
            var proofNeeded = severity == HygieneSeverity.Refuse;
            return new(Number, name, value, proofNeeded ? HygieneSeverity.Warn : HygieneSeverity.Record, proofNeeded ? Unproven : null);
        }

        return good ? new(Number, name, value, HygieneSeverity.Ok)
            : new(Number, name, value, severity, severity == HygieneSeverity.Record ? null : rule.Fix);
    }
}
