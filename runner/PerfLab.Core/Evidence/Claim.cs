namespace PerfLab.Core.Evidence;

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
/// <param name="Strength">How much that is worth.</param>
public sealed record Claim(string Value, string By, ProofStrength Strength = ProofStrength.Direct);

/// <summary>A planned setting with the best that is known of it.</summary>
/// <param name="Setting">The variable without its prefix: "TieredPGO".</param>
/// <param name="Planned">The value that the plan sets.</param>
/// <param name="Claim">Null when nobody says anything.</param>
public sealed record SettingProof(string Setting, string Planned, Claim? Claim)
{
    public bool Contradicted => Claim is not null && Claim.Value != Planned;

    public bool Direct => Claim is { Strength: ProofStrength.Direct };
}
