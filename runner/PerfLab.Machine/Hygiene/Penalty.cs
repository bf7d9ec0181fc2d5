using System.Runtime.InteropServices;
using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>What a bad finding costs under each policy of a lab.</summary>
/// <param name="Azure">On a virtual machine of fixed size.</param>
/// <param name="Metal">On a machine of one's own.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct Penalty(HygieneSeverity Azure, HygieneSeverity Metal)
{
    public static Penalty Refuse => new(HygieneSeverity.Refuse, HygieneSeverity.Refuse);

    /// <summary>For what a virtual machine can't control.</summary>
    public static Penalty RefuseOnMetal => new(HygieneSeverity.Record, HygieneSeverity.Refuse);

    public static Penalty Warn => new(HygieneSeverity.Warn, HygieneSeverity.Warn);

    public static Penalty WarnOnMetal => new(HygieneSeverity.Record, HygieneSeverity.Warn);

    /// <summary>A laptop or CI is told what a lab would refuse, and nothing is refused there.</summary>
    public HygieneSeverity Under(HygienePolicy policy) => policy switch
    {
        HygienePolicy.Azure => Azure,
        HygienePolicy.Metal => Metal,
        _ => (HygieneSeverity)Math.Min((int)HygieneSeverity.Warn, Math.Max((int)Azure, (int)Metal)),
    };
}
