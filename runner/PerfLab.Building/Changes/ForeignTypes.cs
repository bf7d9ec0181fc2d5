using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace PerfLab.Building.Changes;

/// <summary>The types of a published program that are not measured: the runtime's and the tools', as the JIT calls them.</summary>
internal static class ForeignTypes
{
    public static IReadOnlySet<string> Of(PublishedFiles files, IEnumerable<string> own) =>
        In(files.Hashes.Keys.Except(own, StringComparer.Ordinal).Where(name => name.EndsWith(".dll", StringComparison.Ordinal))
            .Select(name => Path.Combine(files.Folder, name)));

    public static IReadOnlySet<string> In(IEnumerable<string> files)
    {
        var types = new HashSet<string>(StringComparer.Ordinal);
        foreach (var file in files)
        {
            Add(file, types);
        }

        return types;
    }

    private static void Add(string path, HashSet<string> types)
    {
        try
        {
            using var image = new PEReader(File.OpenRead(path));
            if (image.HasMetadata)
            {
                var reader = image.GetMetadataReader();
                var names = new TypeNames(reader);
                types.UnionWith(reader.TypeDefinitions.Select(names.Plain));
            }
        }
        catch (BadImageFormatException)
        {
            // A native library.
        }
    }
}
