using System.Security.Cryptography;

namespace PerfLab.Building;

/// <summary>
/// Names the IL of a published program by what it is: its own assemblies and those of its packages, without the runtime beside them. Two
/// builds with one IL identity differ in their runtime only.
/// </summary>
public static class IlIdentity
{
    /// <summary>"sha256:…" over the sorted assemblies, names and contents; null when the folder is no published .NET program.</summary>
    public static string? Of(string folder)
    {
        var assemblies = Assemblies(folder);
        return assemblies.Count == 0 ? null : "sha256:" + Convert.ToHexStringLower(SHA256.HashData(
            Encoding.UTF8.GetBytes(string.Concat(assemblies.Select(assembly => $"{assembly.Key}\0{assembly.Value}\0")))));
    }

    /// <summary>
    /// File name -> SHA-256 of every assembly that is not the runtime's; empty when the folder is no published .NET program.
    /// </summary>
    public static IReadOnlyDictionary<string, string> Assemblies(string folder)
    {
        var assemblies = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var name in Directory.Exists(folder) ? Directory.GetFiles(folder, "*.deps.json").SelectMany(DepsFile.Parts).SelectMany(part => part.Value.Runtime?.Keys ?? []) : [])
        {
            // The names come from a file: only what lies in the folder is read.
            var file = Path.Combine(folder, Path.GetFileName(name));
            if (File.Exists(file))
            {
                assemblies[Path.GetFileName(name)] = Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(file)));
            }
        }

        return assemblies;
    }
}
