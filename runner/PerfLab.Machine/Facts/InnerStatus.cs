namespace PerfLab.Machine.Facts;

/// <summary>What /proc/PID/status says about the cage that a process is in; for a container, read from outside while it runs.</summary>
public static class InnerStatus
{
    /// <summary>The kernel's words for "switched off, and the process may not switch it on again".</summary>
    public const string ForceMitigated = "thread force mitigated";

    /// <summary>Five facts, each a value or "unknown"; "absent" when there is no such file.</summary>
    public static JsonObject Read(string? status)
    {
        JsonNode Of(string key) => JsonValue.Create(status is null ? MachineFiles.Absent : KernelText.Field(status, key) ?? MachineFiles.Unknown)!;
        return new JsonObject
        {
            ["storeBypass"] = Of("Speculation_Store_Bypass"),
            ["indirectBranch"] = Of("SpeculationIndirectBranch"),
            ["seccomp"] = Of("Seccomp"),
            ["noNewPrivileges"] = Of("NoNewPrivs"),
            ["cpus"] = Of("Cpus_allowed_list"),
        };
    }

    /// <summary>Why a launch that ran like this is no measurement, or null.</summary>
    public static string? Problem(JsonObject status) =>
        status["storeBypass"]?.ToString() == ForceMitigated || status["indirectBranch"]?.ToString() == "conditional force disabled"
            ? "speculation was switched off inside (force mitigated by its seccomp filter): CPU-bound code runs 1.5 to 2 times slower than outside"
            : null;
}
