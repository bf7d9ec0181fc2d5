using System.Formats.Tar;

namespace PerfLab.Launching.Docker.Images;

/// <summary>
/// The one form in which images are given to an engine: a docker-archive with the configuration, each layer once in the order of its first
/// use, and the manifest. Everything but the layers follows from the configuration, whose digest is the image's id.
/// </summary>
internal static class ArchiveForm
{
    public const string ManifestName = "manifest.json";

    public static string ConfigName(string id) => Hex(id) + ".json";

    public static string LayerName(string diffId) => Hex(diffId) + "/layer.tar";

    /// <summary>For people who list images; perf-lab itself goes by id.</summary>
    public static string Tag(string id) => "perf-lab/build:" + Hex(id)[..16];

    public static string Manifest(string id, IReadOnlyList<string> diffIds) => new JsonArray(new JsonObject
    {
        ["Config"] = ConfigName(id),
        ["RepoTags"] = new JsonArray(Tag(id)),
        ["Layers"] = new JsonArray([.. diffIds.Select(diffId => (JsonNode)JsonValue.Create(LayerName(diffId)))]),
    }).ToJsonString();

    /// <param name="tar">Stays open.</param>
    /// <param name="config">The configuration, and its digest.</param>
    /// <param name="diffIds">The layers, lowest first.</param>
    /// <param name="open">A layer's tar; closed after use.</param>
    public static async Task WriteAsync(
        TarWriter tar, (string Id, byte[] Config) config, IReadOnlyList<string> diffIds, Func<string, Stream> open,
        CancellationToken cancellationToken)
    {
        await tar.WriteEntryAsync(TarEntries.File(ConfigName(config.Id), new MemoryStream(config.Config)), cancellationToken);
        foreach (var diffId in diffIds.Distinct(StringComparer.Ordinal))
        {
            await using var layer = open(diffId);
            await tar.WriteEntryAsync(TarEntries.File(LayerName(diffId), layer), cancellationToken);
        }

        await tar.WriteEntryAsync(TarEntries.Text(ManifestName, Manifest(config.Id, diffIds)), cancellationToken);
    }

    private static string Hex(string digest) => digest["sha256:".Length..];
}
