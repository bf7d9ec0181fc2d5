using System.Diagnostics;
using PerfLab.Core.Files;
using PerfLab.Core.Planning;

namespace PerfLab.Building;

/// <summary>What a published program holds of the packages that its arm names.</summary>
public static class PublishedPackages
{
    private const string Package = "package";

    /// <summary>
    /// Assembly -> the version that it must say of itself when a launch has loaded it, of every package that was chosen. Empty for a
    /// program that says nothing of its packages.
    /// </summary>
    /// <param name="folder">The bits; they may come from a machine that ran strangers' code.</param>
    /// <param name="command">Of the arm: "./program".</param>
    /// <param name="packages">What was chosen.</param>
    public static IReadOnlyList<PackageAssembly> Assemblies(string folder, IReadOnlyList<string> command, PackageChoice packages)
    {
        var program = DepsFile.Read(Path.Combine(folder, Path.GetFileName(command[0]) + ".deps.json"))?.Program;
        return program is null ? [] :
        [
            .. from chosen in packages.Versions
               from library in program
               where IdOf(library.Key).Equals(chosen.Key, StringComparison.OrdinalIgnoreCase)
               from assembly in library.Value.Runtime ?? new Dictionary<string, JsonElement>(StringComparer.Ordinal)
               let found = Assembly(folder, Path.GetFileName(assembly.Key), assembly.Value)
               where found is not null
               select found with { Package = chosen.Key, Version = chosen.Value },
        ];
    }

    /// <summary>Why a program is not made of what was chosen, or null.</summary>
    /// <param name="folder">Where it was just published to.</param>
    /// <param name="program">Its name.</param>
    /// <param name="packages">What was chosen.</param>
    /// <param name="referred">Packages to which a project of the build refers by itself.</param>
    internal static string? Problem(string folder, string program, PackageChoice packages, IReadOnlyCollection<string> referred)
    {
        if (DepsFile.Read(Path.Combine(folder, program + ".deps.json")) is not { } deps)
        {
            return $"package: {program} has no .deps.json, so nothing tells which versions it holds.";
        }

        var libraries = deps.Program;
        foreach (var (id, version) in packages.Versions)
        {
            var found = libraries.Keys.FirstOrDefault(library => IdOf(library).Equals(id, StringComparison.OrdinalIgnoreCase));
            var isReferred = referred.Contains(id, StringComparer.OrdinalIgnoreCase)
                || libraries.Any(library => deps.Libraries.GetValueOrDefault(library.Key)?.Type == Package
                    && library.Value.Dependencies?.Keys.Contains(id, StringComparer.OrdinalIgnoreCase) == true);
            if (!isReferred || found is null)
            {
                var others = libraries.Keys.Where(library => deps.Libraries.GetValueOrDefault(library)?.Type == Package).Select(IdOf)
                    .Where(other => !other.Equals(id, StringComparison.OrdinalIgnoreCase));
                return $"package={id}@{version}: {program} is not made of it. No project refers to {id}, nor does a package that it is "
                    + $"made of. {NearestNames.Suggest(id, others)}";
            }

            var resolved = found[(found.IndexOf('/') + 1)..];
            if (deps.Libraries.GetValueOrDefault(found)?.Type == Package && VersionOrder.Instance.Compare(resolved, version) != 0)
            {
                return $"package={id}@{version}: NuGet took {resolved}.";
            }
        }

        return null;
    }

    private static PackageAssembly? Assembly(string folder, string file, JsonElement versions)
    {
        // The name comes from a file: only what lies in the folder is read.
        var path = new FileInfo(Path.Combine(folder, file));
        if (!file.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) || path is not { Exists: true, LinkTarget: null })
        {
            return null;
        }

        var own = versions.ValueKind == JsonValueKind.Object && versions.TryGetProperty("assemblyVersion", out var number)
            && number.ValueKind == JsonValueKind.String ? number.GetString()! : "";
        return new(Path.GetFileNameWithoutExtension(file), FileVersionInfo.GetVersionInfo(path.FullName).ProductVersion ?? own, own);
    }

    private static string IdOf(string library) => library.Split('/')[0];
}

/// <summary>An assembly of a package that was chosen.</summary>
/// <param name="Name">Of the assembly.</param>
/// <param name="Says">The version that the published file says of itself, "13.0.3+0a2e291c0d9c0c7675d445703e51750363a549ef".</param>
/// <param name="Number">Its assembly version, which it goes by when it says no other: "13.0.0.0".</param>
public sealed record PackageAssembly(string Name, string Says, string Number)
{
    /// <summary>Id of the package.</summary>
    public string Package { get; init; } = "";

    /// <summary>Of the package.</summary>
    public string Version { get; init; } = "";
}
