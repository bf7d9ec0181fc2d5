using System.Formats.Tar;

namespace PerfLab.Launching.Docker.Images;

/// <summary>Writes a folder into a tar, in ordinal order, links as links, one file in memory at no time.</summary>
public static class FolderTar
{
    /// <param name="prefix">Put before every name, "app/" or empty.</param>
    /// <exception cref="InvalidDataException">The folder holds a pipe, a socket or a device, which can't be part of a build.</exception>
    public static async Task WriteAsync(TarWriter tar, string folder, string prefix, CancellationToken cancellationToken)
    {
        foreach (var item in new DirectoryInfo(folder).EnumerateFileSystemInfos().OrderBy(item => item.Name, StringComparer.Ordinal))
        {
            cancellationToken.ThrowIfCancellationRequested();
            var name = prefix + item.Name;
            if (item.LinkTarget is { } target)
            {
                var link = TarEntries.Make(TarEntryType.SymbolicLink, name, TarEntries.Executable);
                link.LinkName = target;
                await tar.WriteEntryAsync(link, cancellationToken);
            }
            else if (item is DirectoryInfo)
            {
                await tar.WriteEntryAsync(TarEntries.Folder(name), cancellationToken);
                await WriteAsync(tar, item.FullName, name + "/", cancellationToken);
            }
            else
            {
                await WriteFileAsync(tar, (FileInfo)item, name, cancellationToken);
            }
        }
    }

    private static async Task WriteFileAsync(TarWriter tar, FileInfo file, string name, CancellationToken cancellationToken)
    {
        // Asking to open a pipe would wait for ever.
        if (!FileKind.IsRegular(file.FullName))
        {
            throw new InvalidDataException($"{file.FullName} is not a regular file; a build holds files, folders and links only.");
        }

        // Only the bit that matters is kept: umasks differ between machines, the bits measured may not.
        var executable = file.UnixFileMode.HasFlag(UnixFileMode.UserExecute);
        await using var content = file.OpenRead();
        await tar.WriteEntryAsync(
            TarEntries.File(name, content, executable ? TarEntries.Executable : TarEntries.Readable), cancellationToken);
    }
}
