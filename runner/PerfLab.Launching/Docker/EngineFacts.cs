using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker;

/// <summary>What the engine is and can do, asked once a session.</summary>
internal sealed record EngineFacts(EngineVersion Version, string Api, JsonObject Info, string OnlineCpus)
{
    public string? CgroupDriver => Text("CgroupDriver");

    public string? CgroupVersion => Text("CgroupVersion");

    public static async Task<EngineFacts> AskAsync(EngineClient engine, CancellationToken cancellationToken)
    {
        var version = await engine.VersionAsync(cancellationToken);
        var info = await engine.InfoAsync(cancellationToken);
        return new EngineFacts(version, EngineClient.Negotiate(version), info, Online(info));
    }

    /// <summary>For the machine fingerprint.</summary>
    public JsonObject ToJson() => new()
    {
        ["engine"] = Version.Version,
        ["api"] = Api,
        ["kernel"] = Version.Kernel,
        ["storageDriver"] = Text("Driver"),
        ["cgroupVersion"] = CgroupVersion,
        ["cgroupDriver"] = CgroupDriver,
        ["runtime"] = Text("DefaultRuntime"),
        ["security"] = Info["SecurityOptions"]?.DeepClone(),
        ["cpus"] = OnlineCpus,
    };

    /// <summary>Which parts of the seal this engine can't close.</summary>
    public IEnumerable<string> Warnings(EngineEndpoint endpoint)
    {
        foreach (var (member, meaning) in new[]
        {
            ("MemoryLimit", "limit memory"), ("SwapLimit", "keep containers from swapping"), ("PidsLimit", "limit processes"), ("CpuSet", "pin containers to cores"),
        })
        {
            if (Info[member] is JsonValue value && value.TryGetValue<bool>(out var able) && !able)
            {
                yield return $"The engine can't {meaning} on this machine.";
            }
        }

        if (Info["SecurityOptions"] is JsonArray options && !options.Any(option => option?.ToString().Contains("name=seccomp", StringComparison.Ordinal) == true))
        {
            yield return "The engine runs containers without a seccomp filter.";
        }

        if (endpoint.SocketPath is null)
        {
            yield return $"The engine is reached at {endpoint}: it must run on this machine, results come back through a shared folder.";
        }
    }

    private string? Text(string member) => Info[member] is JsonValue value ? value.ToString() : null;

    private static string Online(JsonObject info)
    {
        try
        {
            return File.ReadAllText("/sys/devices/system/cpu/online").Trim();
        }
        catch (Exception absent) when (absent is IOException or UnauthorizedAccessException)
        {
            return $"0-{(info["NCPU"] is JsonValue value && value.TryGetValue<int>(out var count) ? count : 1) - 1}";
        }
    }
}
