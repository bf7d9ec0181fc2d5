using System.Formats.Tar;
using System.Runtime.InteropServices;

namespace PerfLab.Launching.Docker;

/// <summary>
/// Unpacks what a launch left, as the engine packs it: files of the first level, and for anything else a stand-in of the same kind that
/// leads nowhere, so that whoever reads the result sees what it is. The names, kinds and sizes are the workload's.
/// </summary>
internal static partial class LeftFiles
{
    /// <summary>All of it. The volume holds 64 MiB; a file with holes claims more, and would be sent as so many zeros.</summary>
    private const long MostBytes = 80L << 20;

    private const uint Private = 0x180; // 0600

    /// <summary>False when it was too much, or not a tar, and the rest was left.</summary>
    public static async Task<bool> UnpackAsync(Stream archive, string folder, CancellationToken cancellationToken)
    {
        var bytes = 0L;
        await using var tar = new TarReader(archive, leaveOpen: true);
        try
        {
            while (await tar.GetNextEntryAsync(copyData: false, cancellationToken) is { } entry)
            {
                if (NameOf(entry) is not { } name)
                {
                    continue;
                }

                var path = Path.Combine(folder, name);
                if (entry.Length > MostBytes - bytes)
                {
                    using var holes = File.Create(path);
                    holes.SetLength(entry.Length); // takes no room; it is refused for its size
                    return false;
                }

                bytes += entry.Length;
                await MakeAsync(entry, path, cancellationToken);
            }

            return true;
        }
        catch (Exception malformed) when (malformed is InvalidDataException or FormatException or ArgumentException)
        {
            return false;
        }
    }

    /// <summary>
    /// "out3/result.json" and "result.json" are the same file; null for the folder itself, what is deeper, and names that are none.
    /// </summary>
    private static string? NameOf(TarEntry entry)
    {
        var parts = entry.Name.TrimEnd('/').Split('/');
        var name = parts switch
        {
            [_, var inside] => inside,
            [var alone] when entry.EntryType != TarEntryType.Directory => alone,
            _ => "",
        };
        return name is "" or "." or ".." || name.Contains('\0') ? null : name;
    }

    private static async Task MakeAsync(TarEntry entry, string path, CancellationToken cancellationToken)
    {
        switch (entry.EntryType)
        {
            case TarEntryType.RegularFile or TarEntryType.V7RegularFile or TarEntryType.ContiguousFile:
                await using (var file = new FileStream(path, FileMode.CreateNew))
                {
                    await (entry.DataStream?.CopyToAsync(file, cancellationToken) ?? Task.CompletedTask);
                }

                break;
            case TarEntryType.Directory:
                Directory.CreateDirectory(path);
                break;
            case TarEntryType.SymbolicLink or TarEntryType.HardLink: // a second name of a file that is here already is no file of its own
                File.CreateSymbolicLink(path, "nowhere");
                break;
            case TarEntryType.Fifo:
                _ = MakeFifo(path, Private);
                break;
            default:
                break; // a device: nothing in there may make one
        }
    }

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [LibraryImport("libc", EntryPoint = "mkfifo", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakeFifo(string path, uint mode);
}
