using System.Security.Cryptography;

namespace PerfLab.Launching.Docker;

/// <summary>A short hash of everything that a container is asked for, but for what may differ between arms: proof that base and head got the same cage.</summary>
internal static class ContainerSeal
{
    private const int Digits = 16;

    /// <summary>What an arm may ask for: compared by itself (<see cref="LimitEvidence"/>).</summary>
    private static readonly string[] Limits = ["CpusetCpus", "Memory", "MemorySwap"];

    public static string Of(JsonObject spec)
    {
        var same = (JsonObject)spec.DeepClone();
        same.Remove("Image");
        // What is started is part of the build; how many arguments it gets is not.
        same.Remove("Entrypoint");
        same["Cmd"] = (same["Cmd"] as JsonArray)?.Count;
        // Ours, made anew for each launch: the cgroup above it, and folders on this side of a mount.
        (same["HostConfig"] as JsonObject)?.Remove("CgroupParent");
        foreach (var limit in Limits)
        {
            (same["HostConfig"] as JsonObject)?.Remove(limit);
        }

        if ((string?)same["HostConfig"]?["NetworkMode"] is { } network
            && network.StartsWith(ContainerSpec.SharedNetwork, StringComparison.Ordinal))
        {
            same["HostConfig"]!["NetworkMode"] = ContainerSpec.SharedNetwork; // each launch's first node has another name
        }

        foreach (var mount in (same["HostConfig"]?["Mounts"] as JsonArray ?? []).OfType<JsonObject>())
        {
            mount.Remove("Source");
        }

        // Names and order are the same for every arm; values are what is compared. What is taken away from an image's own variables makes arms
        // equal whose images are not.
        same["Env"] = new JsonArray([.. (same["Env"] as JsonArray ?? []).Select(pair => pair!.ToString().Split('='))
            .Where(pair => pair.Length > 1).Select(pair => (JsonNode)pair[0])]);
        return Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(same.ToJsonString())))[..Digits];
    }
}
