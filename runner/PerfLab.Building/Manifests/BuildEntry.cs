using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Building.Manifests;

/// <summary>The `build` of workload.yaml.</summary>
[JsonPolymorphic(TypeDiscriminatorPropertyName = "kind")]
[JsonDerivedType(typeof(DotnetBuild), "dotnet")]
[JsonDerivedType(typeof(PlainBuild), "none")]
[JsonDerivedType(typeof(DockerfileBuild), "docker")]
public abstract record BuildEntry : IChecked
{
    internal abstract BuildDefinition Definition { get; }

    public IEnumerable<Problem> Problems()
    {
        var (member, path) = Definition.Project is { } project ? ("project", project) : ("dockerfile", Definition.Dockerfile ?? "");
        // Where a project may lie, the catalog knows: anywhere in the repository.
        var isAnywhere = Definition.Project is not null;
        var isOutside = Path.IsPathRooted(path) || (!isAnywhere && path.Split('/').Contains("..", StringComparer.Ordinal));
        return isOutside ? [new(member, isAnywhere ? "must be a path from the workload's folder"
            : "must be a path inside the workload's folder")] : [];
    }
}

/// <summary>Published self-contained for the runtime of the cell.</summary>
internal sealed record DotnetBuild : BuildEntry
{
    /// <summary>Project file, relative to the folder.</summary>
    public required string Project { get; init; }

    /// <summary>Target frameworks that the workload claims.</summary>
    [MinLength(1)]
    [RegularExpression(FrameworkDefinition.RuntimePattern, ErrorMessage = FrameworkDefinition.RuntimeInWords)]
    public required IReadOnlyList<string> Runtimes { get; init; }

    /// <summary>The project has a FrameworkReference to Microsoft.AspNetCore.App: its packs must be there, too.</summary>
    [JsonPropertyName("aspnetcore")]
    public bool AspNetCore { get; init; }

    internal override BuildDefinition Definition =>
        new() { Kind = BuildKind.Dotnet, Project = Project, Runtimes = [.. Runtimes.OrderBy(TargetFrameworks.Number)], AspNetCore = AspNetCore };
}

/// <summary>The command runs as it is, in the folder.</summary>
/// <param name="Knobs">The command starts .NET itself: runtime knobs are a dimension.</param>
internal sealed record PlainBuild(bool Knobs = false) : BuildEntry
{
    internal override BuildDefinition Definition => new() { Kind = BuildKind.None, Knobs = Knobs };
}

/// <summary>An image built from the folder.</summary>
/// <param name="Dockerfile">Relative to the folder.</param>
/// <param name="Knobs">The image's program is .NET: runtime knobs are a dimension.</param>
public sealed record DockerfileBuild(string Dockerfile, bool Knobs = false) : BuildEntry
{
    internal override BuildDefinition Definition => new() { Kind = BuildKind.Docker, Dockerfile = Dockerfile, Knobs = Knobs };
}
