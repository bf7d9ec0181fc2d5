namespace PerfLab.Launching;

/// <summary>What a launch was asked to be limited to, beside the seal of its cage: arms may differ in one of them and in nothing else.</summary>
public static class LimitEvidence
{
    /// <summary>Members of a launch's outside evidence: whole cores, and bytes, as text.</summary>
    public const string Cores = "coreLimit", Memory = "memoryLimit";

    public static void Write(JsonObject evidence, LaunchSpec launch)
    {
        evidence[Cores] = Invariant($"{launch.Resources.Cpus}");
        evidence[Memory] = Invariant($"{launch.Resources.MemoryBytes}");
    }
}
