using System.Runtime.InteropServices;
using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>What a finding means for a session.</summary>
public enum HygieneSeverity { Ok, Record, Warn, Refuse }

/// <summary>One line of a row of the hygiene table, judged.</summary>
/// <param name="Row">Its number in docs/machines.md.</param>
/// <param name="Value">What was found: a value, "absent" or "unknown".</param>
/// <param name="Fix">What is wrong and what to do; null when nothing is.</param>
public sealed record HygieneFinding(int Row, string Name, string Value, HygieneSeverity Severity = HygieneSeverity.Record, string? Fix = null);

/// <summary>What a bad finding costs under each policy of a lab.</summary>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct Penalty(HygieneSeverity Azure, HygieneSeverity Metal)
{
    /// <summary>A bad setting of GitHub's runner is recorded: nobody can mend it there.</summary>
    public HygieneSeverity Hosted { get; init; } = HygieneSeverity.Record;

    public static Penalty Refuse => new(HygieneSeverity.Refuse, HygieneSeverity.Refuse);

    /// <summary>For what a virtual machine can't control.</summary>
    public static Penalty RefuseOnMetal => new(HygieneSeverity.Record, HygieneSeverity.Refuse);

    public static Penalty Warn => new(HygieneSeverity.Warn, HygieneSeverity.Warn);

    public static Penalty WarnOnMetal => new(HygieneSeverity.Record, HygieneSeverity.Warn);

    /// <summary>Said of GitHub's runner, too: it is no setting, but what this one does while values are taken.</summary>
    public Penalty AlsoHosted => this with { Hosted = HygieneSeverity.Warn };

    /// <summary>A laptop or CI is told what a lab would refuse, and nothing is refused there.</summary>
    public HygieneSeverity Under(HygienePolicy policy) => policy switch
    {
        HygienePolicy.Azure => Azure,
        HygienePolicy.Metal => Metal,
        HygienePolicy.Hosted => Hosted,
        _ => (HygieneSeverity)Math.Min((int)HygieneSeverity.Warn, Math.Max((int)Azure, (int)Metal)),
    };
}
