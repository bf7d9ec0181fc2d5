using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene;

/// <summary>
/// Work that never changes, timed: how quiet the machine is now, and whether it is what it was. Nothing to read: whoever has the machine to
/// himself runs it (doctor, a session) and adds it to the facts.
/// </summary>
internal static class SelfTestRow
{
    /// <summary>Spread between repeats from which on it is said.</summary>
    private const double MostSpread = 0.02;

    public static HygieneRow Entry { get; } = new(33, [],
        Row.Record("self-test", _ => "not run").When((facts, _) => !facts.Has("selfTest")),
        Part("arithmetic", "self-test: arithmetic"),
        Part("memory", "self-test: memory"),
        Part("systemCalls", "self-test: system calls"));

    private static HygieneLine Part(string name, string words) => new((row, facts, policy) =>
    {
        double? Of(string fact) => facts.Number($"selfTest.{name}.{fact}");
        if (Of("seconds") is not { } seconds || Of("spread") is not { } spread)
        {
            return facts.Has("selfTest") ? new(row, words, MachineFiles.Unknown) : null;
        }

        var drift = Of("drift");
        var value = Invariant($"{seconds * 1000:0.00} ms, spread {spread * 100:0.0} %, slowest {Of("worst") * 100:0.0} % over the fastest")
            + (drift is { } share ? Invariant($", {share * 100:+0.0;-0.0;0.0} % against {facts.Text("selfTest.earlierRuns")} earlier runs") : "");
        var moved = Math.Abs(drift ?? 0) > SelfTestFigures.MostDrift;
        return Row.Judge(new(row, words, value), !moved && spread <= MostSpread, (Penalty.Warn.AlsoHosted,
            moved ? "the machine is not the one it was: other load, another clock, other settings (compare doctor's other lines with then)"
                : "the same work takes different times: stop what else runs, or expect wider intervals", policy));
    });
}
