using System.Security.Cryptography;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Building;

/// <summary>A command is launched where it lies. Its identity is that of the program's file; what else it reads, nobody knows.</summary>
internal static class CommandBuild
{
    public static BuildResult Of(BuildRecipe recipe)
    {
        var program = recipe.Project!;
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        try
        {
            BuildIdentity.AppendFile(hash, program, program);
        }
        catch (Exception unreadable) when (unreadable is IOException or UnauthorizedAccessException)
        {
            if (!File.Exists(program))
            {
                return new(null, null, unreadable.Message);
            }

            // A program may be executable and not readable: then its path has to do.
            BuildIdentity.AppendText(hash, program);
        }

        return new(new("sha256:" + Convert.ToHexStringLower(hash.GetHashAndReset()), recipe.Folder, NeedsShell: false), null, null);
    }
}
