using System.Formats.Tar;
using System.Security.Cryptography;
using System.Text.RegularExpressions;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker.Images;

/// <summary>
/// The bases of a plan on their way to the machine that measures, which has no tool, no right and no open port to make one: a tar with
/// one entry for each kind, whose name says kind, architecture and digest.
/// </summary>
public sealed partial class BasePack : IBaseSource
{
    private const string ToDo = "make it again where the plan was made: `./perf-lab build plan.json --bases bases.tar`";
    private const long MostBytes = 4L << 30;

    private readonly string _path;
    private readonly Lazy<string> _digest;

    internal BasePack(string path)
    {
        _path = path;
        _digest = new(() => File.Exists(path) ? DigestOf(path) : "missing");
    }

    string IBaseSource.Says => $"the pack {Path.GetFileName(_path)}";

    // By the pack's own bytes: what a machine that stays has kept of another request is another file.
    string IBaseSource.FileName(BaseKind kind) => $"{kind.InWords()}-packed-{_digest.Value}.tar";

    /// <summary>Makes the bases that a plan needs and packs them; none at all for a plan of images of its own.</summary>
    /// <returns>One line for each.</returns>
    /// <exception cref="BaseImageMissingException">One can't be had here.</exception>
    public static async Task<IReadOnlyList<string>> WriteAsync(
        string path, RunPlan plan, BaseSettings settings, CancellationToken cancellationToken)
    {
        using var engine = new EngineClient(EngineEndpoint.FromEnvironment());
        var bases = BaseImages.Of(settings, engine);
        var said = new List<string>();
        await using var file = File.Create(path);
        await using var tar = new TarWriter(file, TarEntryFormat.Gnu);
        foreach (var kind in BaseImages.KindsOf(plan))
        {
            var one = await bases.GetAsync(kind, cancellationToken);
            await using var content = File.OpenRead(one.TarPath);
            var name = $"{kind.InWords()}-amd64-{one.DiffId["sha256:".Length..]}.tar";
            await tar.WriteEntryAsync(TarEntries.File(name, content), cancellationToken);
            said.Add($"{kind.InWords()}: {one.DiffId}, {one.From}");
        }

        return said;
    }

    async Task IBaseSource.MakeAsync(BaseKind kind, string path, CancellationToken cancellationToken)
    {
        try
        {
            await using var file = File.OpenRead(_path);
            await using var tar = new TarReader(file);
            while (await tar.GetNextEntryAsync(copyData: false, cancellationToken) is { } entry)
            {
                var name = Name().Match(entry.Name);
                if (!name.Success || entry.EntryType != TarEntryType.RegularFile || entry.Length > MostBytes)
                {
                    throw Refused($"an entry of it is no base: {Core.Model.UntrustedText.Code(entry.Name)}");
                }

                if (name.Groups["kind"].Value == kind.InWords())
                {
                    await TakeAsync(entry, name, path, cancellationToken);
                    return;
                }
            }
        }
        catch (Exception broken) when (broken is IOException or InvalidDataException or FormatException or UnauthorizedAccessException)
        {
            throw Refused($"it is no pack of bases, or is cut: {broken.Message}", broken);
        }

        throw Refused($"it holds no base of the kind {kind.InWords()}");
    }

    private async Task TakeAsync(TarEntry entry, Match name, string path, CancellationToken cancellationToken)
    {
        if (name.Groups["architecture"].Value is var architecture && architecture != "amd64")
        {
            throw Refused($"its base is for {architecture}, and this machine is amd64");
        }

        await using (var target = new FileStream(path, FileMode.CreateNew))
        {
            await (entry.DataStream ?? Stream.Null).CopyToAsync(target, cancellationToken);
        }

        var digest = DigestOf(path);
        if (digest != name.Groups["digest"].Value)
        {
            throw Refused($"its base is not the one that its name says: its SHA-256 is {digest}, not {name.Groups["digest"].Value}");
        }
    }

    private static string DigestOf(string path)
    {
        using var file = File.OpenRead(path);
        return Convert.ToHexStringLower(SHA256.HashData(file));
    }

    private BaseImageMissingException Refused(string why, Exception? inner = null) =>
        new($"The pack of bases {_path} is refused: {why}.", ToDo, inner);

    [GeneratedRegex(
        @"^(?<kind>minimal|shell)-(?<architecture>[a-z0-9]{1,16})-(?<digest>[0-9a-f]{64})\.tar\z",
        RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex Name();
}
