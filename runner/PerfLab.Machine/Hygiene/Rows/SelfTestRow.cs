using PerfLab.Machine.Facts;
using PerfLab.Machine.SelfTests;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Work that never changes, timed: how quiet the machine is now, and whether it is what it was.</summary>
internal sealed class SelfTestRow() : HygieneRow(33)
{
    /// <summary>Spread between repeats from which on it is said.</summary>
    public const double MostSpread = 0.02;

    private static readonly (string Name, string Words)[] Parts =
        [("arithmetic", "self-test: arithmetic"), ("memory", "self-test: memory"), ("systemCalls", "self-test: system calls")];

    // Nothing to read: whoever has the machine to himself runs it (doctor, a session) and adds it to the facts.
    public override void Read(MachineScan scan, JsonObject facts)
    {
    }

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        if (!facts.Has("selfTest"))
        {
            yield return Recorded("self-test", "not run");
            yield break;
        }

        foreach (var (name, words) in Parts)
        {
            yield return Part(facts, name, words, policy);
        }
    }

    private HygieneFinding Part(FactReader facts, string name, string words, HygienePolicy policy)
    {
        double? Of(string fact) => facts.Number($"selfTest.{name}.{fact}");
        if (Of("seconds") is not { } seconds || Of("spread") is not { } spread)
        {
            return Recorded(words, MachineFiles.Unknown);
        }

        var drift = Of("drift");
        var value = string.Create(CultureInfo.InvariantCulture, $"{seconds * 1000:0.00} ms, spread {spread * 100:0.0} %, slowest {Of("worst") * 100:0.0} % over the fastest")
            + (drift is { } share ? string.Create(CultureInfo.InvariantCulture, $", {share * 100:+0.0;-0.0;0.0} % against {facts.Text("selfTest.earlierRuns")} earlier runs") : "");
        var moved = Math.Abs(drift ?? 0) > SelfTestFigures.MostDrift;
        return Judged(words, value, !moved && spread <= MostSpread, (Penalty.Warn,
            moved ? "the machine is not the one it was: other load, another clock, other settings (compare doctor's other lines with then)"
                : "the same work takes different times: stop what else runs, or expect wider intervals", policy));
    }
}
