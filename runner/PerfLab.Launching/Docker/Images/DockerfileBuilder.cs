using System.Formats.Tar;
using System.Security.Cryptography;
using PerfLab.Building;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker.Images;

/// <summary>
/// Builds of kind docker: the folder goes to the engine's classic builder, without a network for its RUN steps. The identity is that of
/// the inputs, because such builds stamp times into their layers; so FROM should name its image by digest.
/// </summary>
public sealed class DockerfileBuilder(EngineClient engine, string storeFolder)
{
    private const long BuildMemory = 4L << 30;

    /// <param name="arguments">Build arguments: what the arms differ in.</param>
    /// <returns>A build with <see cref="Build.Image"/>, or why it fails; a base image that can't be pulled makes it unavailable.</returns>
    public async Task<BuildResult> BuildAsync(
        string folder, string dockerfile, IReadOnlyDictionary<string, string> arguments, CancellationToken cancellationToken)
    {
        if (!File.Exists(Path.Combine(folder, dockerfile)))
        {
            return new BuildResult(null, null, $"There is no {dockerfile} in {folder}.");
        }

        var scratch = Directory.CreateDirectory(Path.Combine(storeFolder, "tmp")).FullName;
        var path = Path.Combine(scratch, $"{Guid.NewGuid():n}.context");
        await using var context = new FileStream(path, new FileStreamOptions
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.ReadWrite,
            Options = FileOptions.DeleteOnClose,
        });
        await using (var tar = new TarWriter(context, TarEntryFormat.Gnu, leaveOpen: true))
        {
            await FolderTar.WriteAsync(tar, folder, "", cancellationToken);
        }

        var arms = new JsonObject(arguments.OrderBy(pair => pair.Key, StringComparer.Ordinal)
            .Select(pair => KeyValuePair.Create(pair.Key, (JsonNode?)pair.Value)));
        var identity = await IdentityAsync(context, dockerfile, arms, cancellationToken);
        try
        {
            context.Position = 0;
            var (image, log) = await engine.BuildImageAsync(context, Query(dockerfile, arms, identity), cancellationToken);
            return image is null
                ? new BuildResult(null, null, $"The build of {dockerfile} ended without an image. {log}")
                : await CheckAsync(new Build(identity, folder, NeedsShell: false, image), dockerfile, cancellationToken);
        }
        catch (EngineException failure) when (failure.EngineAnswered)
        {
            return IsMissingBase(failure.Detail)
                ? new BuildResult(null, $"{dockerfile} stands on an image that this engine does not have and can't pull: {failure.Detail}", null)
                : new BuildResult(null, null, $"{dockerfile} does not build: {failure.Detail}");
        }
    }

    private async Task<BuildResult> CheckAsync(Build build, string dockerfile, CancellationToken cancellationToken)
    {
        var image = await engine.InspectImageAsync(build.Image!, cancellationToken);
        var result = Judge(image, build, dockerfile);
        if (result.Build is null)
        {
            await engine.RemoveImageAsync(build.Image!, cancellationToken);
        }

        return result;
    }

    private static BuildResult Judge(ImageDetails? image, Build build, string dockerfile) =>
        image switch
        {
            null => new BuildResult(null, null, $"The engine built {build.Image} and does not have it."),
            not { Architecture: "amd64", System: "linux" } => new BuildResult(null, null,
                $"{dockerfile} gives an image for {image.System}/{image.Architecture}; linux/amd64 is measured."),
            { Volumes: [var volume, ..] } => new BuildResult(null, null,
                $"{dockerfile} declares VOLUME {volume}: a launch has no writable place but /tmp and the result. Remove the line."),
            _ => new BuildResult(build, null, null),
        };

    private static async Task<string> IdentityAsync(Stream context, string dockerfile, JsonObject arguments, CancellationToken cancellationToken)
    {
        context.Position = 0;
        var files = Convert.ToHexStringLower(await SHA256.HashDataAsync(context, cancellationToken));
        var recipe = Encoding.UTF8.GetBytes($"{files}\n{dockerfile}\n{arguments.ToJsonString()}");
        return "sha256:" + Convert.ToHexStringLower(SHA256.HashData(recipe));
    }

    private static string Query(string dockerfile, JsonObject arguments, string identity)
    {
        // The empty run label takes a Dockerfile's own, imitated one away: containers inherit labels from their image.
        var labels = new JsonObject { [Labels.Build] = identity, [Labels.Run] = "" };
        return string.Create(System.Globalization.CultureInfo.InvariantCulture,
            $"dockerfile={Uri.EscapeDataString(dockerfile)}&networkmode=none&rm=1&forcerm=1&memory={BuildMemory}&memswap={BuildMemory}"
            + $"&labels={Uri.EscapeDataString(labels.ToJsonString())}&buildargs={Uri.EscapeDataString(arguments.ToJsonString())}"
            + $"&t={Uri.EscapeDataString("perf-lab/build:" + identity["sha256:".Length..][..16])}");
    }

    // The classic builder reports a pull that failed in words only.
    private static bool IsMissingBase(string message) => new[]
    {
        "pull access denied", "manifest unknown", "not found: manifest", "no such host", "dial tcp", "connection refused", "i/o timeout",
    }.Any(words => message.Contains(words, StringComparison.OrdinalIgnoreCase));
}
