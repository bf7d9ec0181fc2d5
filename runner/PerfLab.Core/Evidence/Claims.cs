namespace PerfLab.Core.Evidence;

/// <summary>
/// What each source says about each setting, and on which runtimes it can be believed. Tried on 3.1.3, 8.0.0, 8.0.33, 9.0.22 and 10.0.14
/// (docs/internals/evidence.md has the table); what is said of 6 and 7 is from dotnet/runtime#69820, #72056, #84607 and #86827.
/// </summary>
public static class Claims
{
    private const int QuickJit = 1, QuickJitForLoops = 2, Pgo = 4, ReadyToRun = 8;

    /// <summary>Fewer methods in the last tier than this may by chance all be such that nothing in them can be profiled.</summary>
    private const int EnoughTier1 = 5;

    /// <summary>The best claim about a setting: what the runtime says directly comes first, a contradiction before an agreement.</summary>
    public static Claim? Best(string setting, string planned, Observation seen) => All(setting, planned, seen)
        .OrderByDescending(claim => claim.Strength).ThenByDescending(claim => claim.Value != planned).FirstOrDefault();

    private static IEnumerable<Claim> All(string setting, string planned, Observation seen)
    {
        // What this launch itself left comes before what another launch of the same arm did.
        Claim?[] claims =
        [
            FromRundown(setting, seen),
            FromSettings(setting, seen.Trace, "settings event flags", seen),
            FromSummary(setting, seen.Summary),
            FromTiers(setting, seen.Trace, "traced", seen.Major),
            FromSettings(setting, seen.ProofLaunch, "settings event of the proof launch, flags", seen),
            FromTiers(setting, seen.ProofLaunch, "in the proof launch", seen.Major),
            FromGc(setting, seen),
            FromGcNumber(setting, planned, seen),
            FromVersion(setting, seen.Major),
            FromVariables(setting, planned, seen),
        ];
        return claims.OfType<Claim>();
    }

    // Through the diagnostic port, from .NET 9 on. With tiered compilation off the event is not sent at all.
    private static Claim? FromRundown(string setting, Observation seen) => seen.Rundown is not { RuntimeVersion: not null } rundown || seen.Major < 9 ? null
        : rundown.SettingsFlags is { } flags ? FromFlags(setting, flags, "settings event flags")
        : setting is "TieredCompilation" or "TieredPGO" or "TC_QuickJitForLoops" ? new("0", "no settings event in a complete rundown")
        : null;

    // At the start of a trace: before .NET 8 the flag of PGO is wrong, and .NET 10 does not send it.
    private static Claim? FromSettings(string setting, RuntimeTraceFacts? trace, string source, Observation seen) =>
        trace?.SettingsFlags is { } flags && seen.Major is 8 or 9 ? FromFlags(setting, flags, source) : null;

    private static Claim? FromFlags(string setting, int flags, string source)
    {
        var bit = setting switch
        {
            "TieredCompilation" => int.MaxValue, // sent at all
            "TC_QuickJit" => QuickJit,
            "TC_QuickJitForLoops" => QuickJitForLoops,
            "TieredPGO" => Pgo,
            "ReadyToRun" => ReadyToRun,
            _ => 0,
        };
        return bit == 0 ? null : new(bit == int.MaxValue || (flags & bit) != 0 ? "1" : "0", Invariant($"{source} {flags}"));
    }

    private static Claim? FromSummary(string setting, JitSummary? summary) => summary is not { Methods: > 0 } ? null : setting switch
    {
        "TieredCompilation" when summary.Tier0 + summary.Tier1 > 0 => new("1", Invariant($"JIT summary, {summary.Tier0 + summary.Tier1} of {summary.Methods} methods in tiers")),
        "TieredCompilation" => new("0", Invariant($"JIT summary, none of {summary.Methods} methods in a tier")),
        "TieredPGO" when summary.Instrumented > 0 => new("1", $"JIT summary, {summary.InstrumentedOfAll}"),
        "TieredPGO" when summary.Tier1 >= EnoughTier1 || summary.Tier0 + summary.Tier1 == 0 => new("0", $"JIT summary, {summary.InstrumentedOfAll}"),
        "ReadyToRun" => summary.CoreLibraryWasJitted
            ? new("0", "JIT summary, the core library was compiled")
            : new("1", "JIT summary, the core library was not compiled"),
        "TC_OnStackReplacement" when summary.Osr > 0 => new("1", Invariant($"JIT summary, {summary.Osr} loops replaced on the stack")),
        "TC_QuickJitForLoops" when summary.Osr > 0 => new("1", Invariant($"JIT summary, {summary.Osr} loops replaced on the stack")),
        _ => null,
    };

    private static Claim? FromTiers(string setting, RuntimeTraceFacts? trace, string where, int? major)
    {
        if (trace is null || trace.Jit.Total.Count == 0)
        {
            return null;
        }

        var quick = trace.Jit.Of(JitTier.QuickJitted).Count + trace.Jit.Of(JitTier.QuickJittedInstrumented).Count;
        var tier1 = trace.Jit.Of(JitTier.OptimizedTier1).Count + trace.Jit.Of(JitTier.OptimizedTier1Instrumented).Count;
        var instrumented = trace.Jit.Of(JitTier.QuickJittedInstrumented).Count + trace.Jit.Of(JitTier.OptimizedTier1Instrumented).Count;
        var osr = trace.Jit.Of(JitTier.OptimizedTier1Osr).Count;
        var of = Invariant($"of {trace.Jit.Total.Count} methods {where}");
        return setting switch
        {
            "TieredCompilation" => new(quick + tier1 > 0 ? "1" : "0", Invariant($"{quick + tier1} {of} in tiers")),
            "TieredPGO" when major >= 8 && (instrumented > 0 || tier1 >= EnoughTier1) => new(instrumented > 0 ? "1" : "0", Invariant($"{instrumented} {of} instrumented")),
            "ReadyToRun" => new(trace.CoreLibraryWasJitted ? "0" : "1", $"the core library was {(trace.CoreLibraryWasJitted ? "" : "not ")}among the methods {where}"),
            "TC_OnStackReplacement" when osr > 0 => new("1", Invariant($"{osr} {of} replaced on the stack")),
            _ => null,
        };
    }

    private static Claim? FromGc(string setting, Observation seen) => setting switch
    {
        "gcServer" when seen.ServerGc is { } server => new(server ? "1" : "0", "GCSettings.IsServerGC"),
        "gcConcurrent" when Switch(seen, "ConcurrentGC") is { } concurrent => new(concurrent, "the GC's own settings"),
        "GCDynamicAdaptationMode" when seen.ServerGc == false => new("0", "workstation GC has one heap"),
        "GCDynamicAdaptationMode" when (seen.Trace ?? seen.ProofLaunch)?.GcDynamicEvents.Keys.FirstOrDefault(IsAdaptation) is { } name =>
            new("1", $"GC event {name} of the proof launch"),
        "GCDynamicAdaptationMode" when seen.GcSettings.TryGetValue("GCDynamicAdaptationMode", out var mode) => new(mode, "the GC's own settings"),
        _ => null,
    };

    // GC.GetConfigurationVariables leaves the prefix of some names away. Variables are hexadecimal, what the GC says is decimal.
    private static Claim? FromGcNumber(string setting, string planned, Observation seen)
    {
        if (!setting.StartsWith("GC", StringComparison.Ordinal) || setting == "GCDynamicAdaptationMode")
        {
            return null;
        }

        string[] names = [setting, setting[2..], setting == "GCConserveMemory" ? "GCConserveMem" : setting];
        var said = names.Select(name => seen.GcSettings.GetValueOrDefault(name)).FirstOrDefault(text => text is not null);
        var number = said switch
        {
            "True" => 1,
            "False" => 0,
            _ => long.TryParse(said, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : (long?)null,
        };
        return number is not { } known ? null
            : new(Hexadecimal(planned) == known ? planned : known.ToString("X", CultureInfo.InvariantCulture), "the GC's own settings");
    }

    private static long? Hexadecimal(string text)
    {
        var digits = text.StartsWith("0x", StringComparison.OrdinalIgnoreCase) ? text[2..] : text;
        return long.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var number) ? number : null;
    }

    private static Claim? FromVersion(string setting, int? major) => (setting, major) switch
    {
        ("TieredPGO", < 6) => new("0", "dynamic PGO came with .NET 6"),
        ("TC_OnStackReplacement", < 7) => new("0", "on-stack replacement came with .NET 7"),
        ("GCDynamicAdaptationMode", < 8) => new("0", "DATAS came with .NET 8"),
        _ => null,
    };

    // Only hexadecimal numbers count: the runtime takes its default when it reads a word, and says nothing.
    private static Claim? FromVariables(string setting, string planned, Observation seen)
    {
        if (seen.Variables is null)
        {
            return null;
        }

        var text = seen.Variable(setting);
        return text is null ? new("its default", "the process had no such variable", ProofStrength.Indirect)
            : text == planned && Hexadecimal(text) is not null ? new(planned, $"the process had '{text}'", ProofStrength.Indirect)
            : Hexadecimal(text) is { } number ? new(Invariant($"{number}"), $"the process had '{text}'", ProofStrength.Indirect)
            : new("its default", $"the process had '{text}', which is no hexadecimal number", ProofStrength.Indirect);
    }

    private static string? Switch(Observation seen, string name) => seen.GcSettings.GetValueOrDefault(name) switch
    {
        "True" => "1",
        "False" => "0",
        _ => null,
    };

    private static bool IsAdaptation(string name) => name.StartsWith("SizeAdaptation", StringComparison.Ordinal) || name.StartsWith("HeapCount", StringComparison.Ordinal);
}

/// <summary>How much a statement about a setting is worth.</summary>
public enum ProofStrength
{
    /// <summary>Only what the process was told, or what follows from something else.</summary>
    Indirect,

    /// <summary>The runtime, its JIT or its GC says so itself.</summary>
    Direct,
}

/// <summary>What one source says about one setting.</summary>
/// <param name="Value">As the variable would be written: "0", "1".</param>
/// <param name="By">The source with its figure: "settings event flags 15".</param>
public sealed record Claim(string Value, string By, ProofStrength Strength = ProofStrength.Direct);

/// <summary>A planned setting with the best that is known of it.</summary>
/// <param name="Setting">The variable without its prefix: "TieredPGO".</param>
/// <param name="Planned">As the variable is written; empty where the plan leaves it to the runtime, which nothing can contradict.</param>
public sealed record SettingProof(string Setting, string Planned, Claim? Claim)
{
    public bool Contradicted => Planned.Length > 0 && Claim is not null && Claim.Value != Planned;

    public bool Direct => Claim is { Strength: ProofStrength.Direct };
}
