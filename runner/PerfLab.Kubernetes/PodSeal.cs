using System.Security.Cryptography;

namespace PerfLab.Kubernetes;

/// <summary>
/// A short hash of everything that a pod is asked for, but for what may differ between arms and launches: proof that base and head got the
/// same cage.
/// </summary>
internal static class PodSeal
{
    private const int Digits = 16;

    public static string Of(JsonObject job, int arguments)
    {
        var pod = (JsonObject)job["spec"]!["template"]!["spec"]!.DeepClone();
        var container = (JsonObject)pod["containers"]![0]!;
        container.Remove("image");
        container.Remove("resources"); // an arm may ask for others: compared by themselves
        // Of the words, those before the program: names without values are the same for every arm. Of the program, how many words it has.
        var words = container["command"]!.AsArray().Select(word => (string)word!).ToList();
        container["command"] = new JsonArray([.. words.SkipLast(arguments).Select(word => (JsonNode)word.Split('=')[0]), arguments]);
        pod.Remove("affinity"); // names the launch; where it ran is compared by itself
        return Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(pod.ToJsonString())))[..Digits];
    }
}
