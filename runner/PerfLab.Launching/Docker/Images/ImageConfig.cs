using System.Security.Cryptography;
using System.Text.Json.Serialization;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker.Images;

/// <summary>
/// What we read of an image's configuration, under its own names: https://github.com/opencontainers/image-spec/blob/main/config.md
/// </summary>
internal sealed record ImageConfig(
    [property: JsonPropertyName("rootfs")] ImageRoot Root,
    [property: JsonPropertyName("architecture")] string Architecture,
    [property: JsonPropertyName("os")] string System,
    [property: JsonPropertyName("config")] ImageDefaults? Defaults = null)
{
    /// <summary>The layers of an image, "sha256:…" of each one's uncompressed tar, lowest first.</summary>
    [JsonIgnore]
    public IReadOnlyList<string> DiffIds => Root.DiffIds ?? [];

    /// <exception cref="InvalidDataException">It is no configuration of an image.</exception>
    public static ImageConfig Read(byte[] utf8)
    {
        var reading = EngineAnswer<ImageConfig>.Format.Read(utf8);
        return reading.Value
            ?? throw new InvalidDataException($"an image's configuration can't be read: {string.Join("; ", reading.Problems.Take(3))}");
    }

    public static string DigestOf(byte[] utf8) => "sha256:" + Convert.ToHexStringLower(SHA256.HashData(utf8));
}

internal sealed record ImageRoot([property: JsonPropertyName("diff_ids")] IReadOnlyList<string>? DiffIds = null);

internal sealed record ImageDefaults(
    [property: JsonPropertyName("Labels")] IReadOnlyDictionary<string, string>? Labels = null,
    [property: JsonPropertyName("Volumes")] IReadOnlyDictionary<string, JsonElement>? Volumes = null);

/// <summary>One image of an engine's own archive.</summary>
internal sealed record ArchivedImage(string Config, IReadOnlyList<string> Layers);
