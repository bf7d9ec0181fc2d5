using PerfLab.Core.Model;

namespace PerfLab.Launching.Docker.Images;

/// <summary>What lies under a workload in its image.</summary>
internal enum BaseKind
{
    /// <summary>The libraries that a self-contained .NET program needs, and nothing to run but it.</summary>
    Minimal,

    /// <summary>The same with a shell and the usual small programs, for builds that are scripts.</summary>
    Shell,
}

internal static class BaseKindName
{
    /// <summary>As names of files and packs have it.</summary>
    public static string InWords(this BaseKind kind) => kind == BaseKind.Minimal ? "minimal" : "shell";
}

/// <summary>A root file system as a tar on this machine.</summary>
/// <param name="DiffId">"sha256:…", the digest of the tar: what engines call its layer.</param>
/// <param name="From">For people: where it is from.</param>
internal sealed record BaseImage(string TarPath, string DiffId, string From = "");

/// <summary>No base image can be had here.</summary>
public sealed class BaseImageMissingException(string cameBack, string toDo, Exception? inner = null)
    : LabException("getting the base image of the containers", cameBack, toDo, inner)
{
    /// <summary>What every way answered, and what to do about each.</summary>
    internal static BaseImageMissingException Of(IReadOnlyList<BaseImageMissingException> failures) => failures is [var only] ? only : new(
        string.Join(" ", failures.Select(failure => failure.CameBack)),
        string.Join("; or ", failures.Select(failure => failure.DoNext).Append("take --executor process, which needs none")), failures[0]);
}
