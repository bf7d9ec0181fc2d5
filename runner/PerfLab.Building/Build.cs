using System.ComponentModel.DataAnnotations;

namespace PerfLab.Building;

/// <summary>The bits of an arm, ready to launch.</summary>
/// <param name="Identity">"sha256:…" over the sorted file list with contents.</param>
/// <param name="Folder">Absolute path of the folder that holds them: the workload's working folder.</param>
/// <param name="NeedsShell">True for scripts: the container needs a base image with a shell.</param>
/// <param name="Image">Image id of a build of kind docker, whose bits live in the engine; otherwise null.</param>
public sealed record Build(
    [RegularExpression(Build.IdentityForm, ErrorMessage = "sha256: and 64 hexadecimal digits")] string Identity,
    string Folder,
    bool NeedsShell,
    string? Image = null)
{
    public const string IdentityForm = "^sha256:[0-9a-f]{64}$";
}

/// <summary>What came of building a recipe: exactly one of the three is set.</summary>
/// <param name="Unavailable">Why they are not available here: the package or runtime that no source has.</param>
/// <param name="Failure">Why it does not build: the compiler's errors, and where the whole log is.</param>
public sealed record BuildResult(Build? Build, string? Unavailable, string? Failure)
{
    /// <summary>What a reader has to know of a build that was made, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
