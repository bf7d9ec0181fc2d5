using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker;

/// <summary>What the engine is and can do, asked once a session.</summary>
internal sealed record EngineFacts(EngineVersion Version, string Api, EngineInfo Info, string OnlineCpus)
{
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
        ["storageDriver"] = Info.Driver,
        ["cgroupVersion"] = Info.CgroupVersion,
        ["cgroupDriver"] = Info.CgroupDriver,
        ["runtime"] = Info.DefaultRuntime,
        ["security"] = Info.SecurityOptions is { } options ? new JsonArray([.. options.Select(option => (JsonNode)option)]) : null,
        ["cpus"] = OnlineCpus,
    };

    /// <summary>Which parts of the seal this engine can't close.</summary>
    public IEnumerable<string> Warnings(EngineEndpoint endpoint)
    {
        foreach (var (isAble, meaning) in new[]
        {
            (Info.MemoryLimit, "limit memory"), (Info.SwapLimit, "keep containers from swapping"), (Info.PidsLimit, "limit processes"), (Info.CpuSet, "pin containers to cores"),
        })
        {
            if (isAble == false)
            {
                yield return $"The engine can't {meaning} on this machine.";
            }
        }

        if (Info.SecurityOptions?.Any(option => option.Contains("name=seccomp")) == false)
        {
            yield return "The engine runs containers without a seccomp filter.";
        }

        if (endpoint.SocketPath is null)
        {
            yield return $"The engine is reached at {endpoint}: it must run on this machine, results come back through a shared folder.";
        }
    }

    private static string Online(EngineInfo info)
    {
        try
        {
            return File.ReadAllText("/sys/devices/system/cpu/online").Trim();
        }
        catch (Exception absent) when (absent is IOException or UnauthorizedAccessException)
        {
            return $"0-{(info.Cpus ?? 1) - 1}";
        }
    }
}
