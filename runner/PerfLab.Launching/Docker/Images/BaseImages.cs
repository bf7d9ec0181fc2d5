using System.Security.Cryptography;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker.Images;

/// <summary>What somebody said about bases.</summary>
/// <param name="StoreFolder">Where they are kept.</param>
/// <param name="Image">That the engine has or can pull; null leaves it to perf-lab.</param>
/// <param name="Pack">A file with bases that came with the builds; then none is made or pulled here.</param>
/// <param name="Say">Takes a line for people when one is made, which takes up to a minute.</param>
public sealed record BaseSettings(string StoreFolder, string? Image, string? Pack, Action<string> Say);

/// <summary>One way to get a base.</summary>
internal interface IBaseSource
{
    /// <summary>
    /// Of the file that keeps it. What decides the bytes is part of the name: another package list or image is another base.
    /// </summary>
    string FileName(BaseKind kind);

    /// <summary>For people: where such a base is from.</summary>
    string Says { get; }

    /// <exception cref="BaseImageMissingException">There is none to be had this way, here and now.</exception>
    Task MakeAsync(BaseKind kind, string path, CancellationToken cancellationToken);
}

/// <summary>
/// Finds the base of a kind: one that is kept, otherwise from the first source that has one. A base that is kept is never made again,
/// so that a week of sessions stands on the same bytes, whatever mirrors and tags hold by then.
/// </summary>
internal sealed class BaseImages(string storeFolder, params IReadOnlyList<IBaseSource> sources)
{
    private readonly string _folder = StoreFiles.BasesOf(storeFolder);

    /// <summary>
    /// For a session: what came with the builds (then nothing else: no machine of a lab makes one), or what perf-lab.yaml names (then
    /// nothing else either), or else Debian packages before an image that the engine pulls. They are smaller, without a shell where
    /// none is needed, and no registry counts who asks; but only Debian and Ubuntu have the tool.
    /// </summary>
    public static BaseImages Of(BaseSettings settings, EngineClient engine) => settings switch
    {
        { Pack: { } pack } => new(settings.StoreFolder, new BasePack(pack)),
        { Image: { } named } => new(settings.StoreFolder, new PulledImage(engine, named)) { Say = settings.Say },
        _ => new(settings.StoreFolder, new DebianPackages(), new PulledImage(engine, PulledImage.Default)) { Say = settings.Say },
    };

    /// <summary>Takes a line for people when one is made, which takes up to a minute; nobody by default.</summary>
    public Action<string> Say { get; init; } = _ => { };

    /// <summary>The kinds that builds of a plan stand on; an image of one's own has its base in itself.</summary>
    public static IReadOnlyList<BaseKind> KindsOf(RunPlan plan) =>
    [
        .. plan.Cells.Where(cell => cell.Result != ResultFormat.WallTime).SelectMany(cell => cell.Arms).Select(arm => arm.Recipe.Kind)
            .Where(kind => kind is BuildKind.Dotnet or BuildKind.None)
            .Select(kind => kind == BuildKind.None ? BaseKind.Shell : BaseKind.Minimal)
            .Distinct().Order(),
    ];

    /// <summary>Whether there is one here already.</summary>
    public bool Keeps(BaseKind kind) => Keeper(kind) is not null;

    /// <exception cref="BaseImageMissingException">There is none here, and no source has one.</exception>
    public async Task<BaseImage> GetAsync(BaseKind kind, CancellationToken cancellationToken)
    {
        if (Keeper(kind) is { } keeps)
        {
            return await ReadAsync(keeps, kind, cancellationToken);
        }

        Directory.CreateDirectory(_folder);
        var failures = new List<BaseImageMissingException>();
        foreach (var source in sources)
        {
            try
            {
                Say($"getting the base image of the containers, once: {source.Says}");
                await KeepAsync(source, kind, cancellationToken);
                return await ReadAsync(source, kind, cancellationToken);
            }
            catch (BaseImageMissingException failure)
            {
                failures.Add(failure);
            }
        }

        throw BaseImageMissingException.Of(failures);
    }

    private IBaseSource? Keeper(BaseKind kind) => sources.FirstOrDefault(source => File.Exists(PathOf(source, kind)));

    private string PathOf(IBaseSource source, BaseKind kind) => Path.Combine(_folder, source.FileName(kind));

    private async Task<BaseImage> ReadAsync(IBaseSource source, BaseKind kind, CancellationToken cancellationToken)
    {
        var path = PathOf(source, kind);
        await using var tar = File.OpenRead(path);
        var digest = await SHA256.HashDataAsync(tar, cancellationToken);
        return new BaseImage(path, "sha256:" + Convert.ToHexStringLower(digest), source.Says);
    }

    private async Task KeepAsync(IBaseSource source, BaseKind kind, CancellationToken cancellationToken)
    {
        // Written beside and renamed: an interrupted run leaves no half base, and two runs at once end with one of two equal files.
        var path = PathOf(source, kind);
        var half = $"{path}.{Guid.NewGuid():n}.tmp";
        try
        {
            await source.MakeAsync(kind, half, cancellationToken);
            File.Move(half, path, overwrite: true);
        }
        finally
        {
            File.Delete(half);
        }
    }
}
