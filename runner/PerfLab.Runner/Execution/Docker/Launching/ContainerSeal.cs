using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;

namespace PerfLab.Runner.Execution.Docker.Launching;

/// <summary>A short hash of everything that a container is asked for, but for what may differ between arms: proof that base and head got the same cage.</summary>
internal static class ContainerSeal
{
    private const int Digits = 16;

    public static string Of(JsonObject spec)
    {
        var same = (JsonObject)spec.DeepClone();
        same.Remove("Image");
        // Ours, made anew for each launch.
        (same["HostConfig"] as JsonObject)?.Remove("CgroupParent");
        // Names and order are the same for every arm; values are what is compared.
        same["Env"] = new JsonArray([.. (same["Env"] as JsonArray ?? []).Select(pair => (JsonNode)pair!.ToString().Split('=')[0])]);
        return Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(same.ToJsonString())))[..Digits];
    }
}
