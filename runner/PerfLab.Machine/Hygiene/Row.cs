using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>What rows are made of: facts to read, and lines that record them or say what a bad one costs.</summary>
internal static class Row
{
    private const string Unproven = "it exists and can't be read or understood, so it is not proven; run as root, or look at it by hand";

    public static HygieneFact Fact(string path, Func<MachineScan, JsonNode?> read) => new(path, read);

    public static HygieneLine Record(string name, string path) => Record(name, facts => facts.Text(path));

    public static HygieneLine Record(string name, Func<FactReader, string> value) =>
        new((row, facts, _) => new(row, name, value(facts), HygieneSeverity.Record));

    /// <summary>The fact must be <paramref name="good"/>.</summary>
    public static HygieneLine Must(string name, string path, string good, Penalty penalty, string fix) =>
        Must(name, facts => facts.Text(path), good, penalty, fix);

    public static HygieneLine Must(string name, Func<FactReader, string> value, string good, Penalty penalty, string fix) =>
        Must(name, value, facts => value(facts) == good, penalty, fix);

    public static HygieneLine Must(string name, Func<FactReader, string> value, Func<FactReader, bool> good, Penalty penalty, string fix) =>
        new((row, facts, policy) => Judge(new(row, name, value(facts)), good(facts), (penalty, fix, policy)));

    /// <summary>What is absent or unknown is as bad as a wrong value: a session can't do without.</summary>
    public static HygieneLine MustBeKnown(string name, string path, Func<string, HygienePolicy, bool> good, Penalty penalty, string fix) =>
        new((row, facts, policy) => Weigh(new(row, name, facts.Text(path)), good(facts.Text(path), policy), (penalty, fix, policy)));

    /// <summary>Only where the condition holds.</summary>
    public static HygieneLine When(this HygieneLine line, Func<FactReader, HygienePolicy, bool> condition) =>
        new((row, facts, policy) => condition(facts, policy) ? line.Judge(row, facts, policy) : null);

    /// <summary>What is absent here is recorded. What can't be read is not proven: a lab says so where it would refuse.</summary>
    public static HygieneFinding Judge(HygieneFinding found, bool good, (Penalty Otherwise, string Fix, HygienePolicy Policy) rule) => found.Value switch
    {
        MachineFiles.Absent => found,
        MachineFiles.Unknown => rule.Otherwise.Under(rule.Policy) == HygieneSeverity.Refuse
            ? found with { Severity = HygieneSeverity.Warn, Fix = Unproven } : found,
        _ => Weigh(found, good, rule),
    };

    private static HygieneFinding Weigh(HygieneFinding found, bool good, (Penalty Otherwise, string Fix, HygienePolicy Policy) rule)
    {
        var severity = good ? HygieneSeverity.Ok : rule.Otherwise.Under(rule.Policy);
        return found with { Severity = severity, Fix = severity is HygieneSeverity.Warn or HygieneSeverity.Refuse ? rule.Fix : null };
    }
}
