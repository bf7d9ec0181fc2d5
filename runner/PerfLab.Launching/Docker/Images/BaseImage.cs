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

/// <summary>A root file system as a tar on this machine. <paramref name="DiffId"/> ("sha256:…") is the digest of the tar: what engines call its layer.</summary>
internal sealed record BaseImage(string TarPath, string DiffId);

/// <summary>No base image can be had here.</summary>
internal sealed class BaseImageMissingException(string cameBack, string toDo, Exception? inner = null)
    : LabException("getting the base image of the containers", cameBack, toDo, inner);
