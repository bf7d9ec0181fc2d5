using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Building.Tools;
using PerfLab.Core.Files;

namespace PerfLab.Building;

/// <summary>
/// Builds on disk: <c>bits/&lt;identity&gt;/</c> holds each distinct build once, <c>recipes/&lt;key&gt;.json</c> remembers which bits a recipe gave and
/// from which inputs, <c>logs/</c> what failed builds printed. Whatever appears under its final name is whole: files and folders are made
/// under a name in <c>unfinished/</c> and renamed, so racing builds and a killed one leave nothing half.
/// </summary>
internal sealed class BuildStore(string folder)
{
    /// <summary>A new empty folder of this build's own, to be disposed with whatever is still in it.</summary>
    public UnfinishedFolder NewUnfinished() => new(Path.Combine(folder, "unfinished", Guid.NewGuid().ToString("n")));

    /// <summary>
    /// The bits that an earlier build of this recipe gave, when nothing that they were made from has changed and they are whole.
    /// </summary>
    public (Build Build, IReadOnlyList<string> Notes)? Find(string key)
    {
        try
        {
            // A store is a cache: what can't be read is built again.
            return File.Exists(RecipeFile(key)) && KnownBuild.Format.Read(File.ReadAllBytes(RecipeFile(key))).Value is { } known && BitsFolder(known.Identity) is var bits
                && known.Inputs.Hash() == known.InputsHash && Directory.Exists(bits) && BuildIdentity.Of(bits) == known.Identity
                ? (Used(new Build(known.Identity, bits, NeedsShell: false)), known.Notes ?? [])
                : null;
        }
        catch (Exception unreadable) when (unreadable is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Moves finished bits to their place; when they are there already (another build was faster) those stay.</summary>
    public Build KeepBits(string finished, bool needsShell)
    {
        var identity = BuildIdentity.Of(finished);
        var bits = BitsFolder(identity);
        if (Directory.Exists(bits) && BuildIdentity.Of(bits) != identity)
        {
            // Somebody changed files in the store: set them aside.
            using var spoiled = NewUnfinished();
            Directory.Move(bits, Path.Combine(spoiled.Path, "spoiled"));
        }

        Directory.CreateDirectory(Path.GetDirectoryName(bits)!);
        try
        {
            Directory.Move(finished, bits);
        }
        catch (IOException) when (Directory.Exists(bits))
        {
            // Lost the race against an equal build.
        }

        return Used(new Build(identity, bits, needsShell));
    }

    public void Remember(string key, KnownBuild build) => WholeFile.Write(RecipeFile(key), KnownBuild.Format.Write(build));

    /// <summary>Keeps what a failed build printed; returns the file's path.</summary>
    public string KeepLog(string key, string output)
    {
        var file = Path.Combine(folder, "logs", key[..16] + ".log");
        WholeFile.Write(file, output);
        return file;
    }

    /// <summary>Where the bits of each build lie, in a folder of their own.</summary>
    public static string BitsOf(string folder) => Path.Combine(folder, "bits");

    private static Build Used(Build build)
    {
        UsedFolder.Mark(build.Folder);
        return build;
    }

    private string RecipeFile(string key) => Path.Combine(folder, "recipes", key + ".json");

    // 32 of 64 digits: the folder becomes the working folder of launches, and paths have limits.
    private string BitsFolder(string identity) => Path.Combine(BitsOf(folder), identity["sha256:".Length..][..32]);
}

/// <summary>What the store remembers about a recipe.</summary>
internal sealed record KnownBuild([RegularExpression(Build.IdentityForm)] string Identity, BuildInputs Inputs, string InputsHash)
{
    /// <summary>What a reader has to know of the build; null where there is nothing.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<string>? Notes { get; init; }

    public static FileFormat<KnownBuild> Format { get; } = new("", "a build in the store") { IsForeign = true };
}

/// <summary>A folder that nobody else knows and that is gone when its owner is done.</summary>
internal sealed class UnfinishedFolder : IDisposable
{
    public UnfinishedFolder(string path)
    {
        Path = path;
        Directory.CreateDirectory(path);
    }

    public string Path { get; }

    public string Sub(string name) => System.IO.Path.Combine(Path, name);

    public void Dispose()
    {
        if (Directory.Exists(Path))
        {
            Directory.Delete(Path, recursive: true);
        }
    }
}
