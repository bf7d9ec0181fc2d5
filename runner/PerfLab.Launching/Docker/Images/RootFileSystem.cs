using System.Formats.Tar;

namespace PerfLab.Launching.Docker.Images;

/// <summary>A symbolic link of a root file system.</summary>
/// <param name="Name">Where it is, from the root on, without the first slash.</param>
internal sealed record RootLink(string Name, string Target);

/// <summary>
/// Rewrites a root file system so that it is the same bytes wherever it was made: no traces of the machine that made it, no device
/// nodes (containers get their own), no setuid bits, fixed times.
/// </summary>
internal static class RootFileSystem
{
    /// <summary>Counts up with every change of the rules below: cached bases of older rules are not taken.</summary>
    public const int RulesVersion = 1;

    // Left by mmdebstrap or by the engine's export; the engine mounts its own hosts, hostname and resolv.conf.
    private static readonly string[] DroppedFiles = [".dockerenv", "etc/hostname", "etc/hosts", "etc/resolv.conf", "etc/mtab"];
    private static readonly string[] DroppedFolders =
    [
        "dev/", "proc/", "sys/", "run/", "etc/apt/", "etc/dpkg/", "var/cache/", "var/lib/apt/", "var/lib/dpkg/", "var/log/",
        "usr/share/doc/", "usr/share/info/", "usr/share/lintian/", "usr/share/locale/", "usr/share/man/",
    ];

    public static async Task NormaliseAsync(string from, string to, IReadOnlyList<RootLink> links, CancellationToken cancellationToken)
    {
        await using var source = File.OpenRead(from);
        await using var reader = new TarReader(source);
        await using var target = new FileStream(to, FileMode.CreateNew);
        await using var writer = new TarWriter(target, TarEntryFormat.Gnu);
        while (await reader.GetNextEntryAsync(copyData: false, cancellationToken) is { } entry)
        {
            var name = entry.Name.StartsWith("./", StringComparison.Ordinal) ? entry.Name[2..] : entry.Name;
            if (Keeps(name, entry.EntryType))
            {
                await writer.WriteEntryAsync(Normal(entry, name), cancellationToken);
            }
        }

        foreach (var link in links)
        {
            var added = TarEntries.Make(TarEntryType.SymbolicLink, link.Name, (UnixFileMode)0b111_111_111);
            added.LinkName = link.Target;
            await writer.WriteEntryAsync(added, cancellationToken);
        }
    }

    private static bool Keeps(string name, TarEntryType type) =>
        name.Length > 0
        && type is TarEntryType.RegularFile or TarEntryType.V7RegularFile or TarEntryType.Directory or TarEntryType.SymbolicLink or TarEntryType.HardLink
        && !DroppedFiles.Contains(name, StringComparer.Ordinal)
        && !DroppedFolders.Any(folder => name.StartsWith(folder, StringComparison.Ordinal) && name.Length > folder.Length);

    private static GnuTarEntry Normal(TarEntry entry, string name)
    {
        var permissions = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute
            | UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.GroupExecute
            | UnixFileMode.OtherRead | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute | UnixFileMode.StickyBit;
        var type = entry.EntryType == TarEntryType.V7RegularFile ? TarEntryType.RegularFile : entry.EntryType;
        var normal = TarEntries.Make(type, name, entry.Mode & permissions);
        normal.Uid = entry.Uid;
        normal.Gid = entry.Gid;
        if (type is TarEntryType.SymbolicLink or TarEntryType.HardLink)
        {
            normal.LinkName = type == TarEntryType.HardLink && entry.LinkName.StartsWith("./", StringComparison.Ordinal)
                ? entry.LinkName[2..]
                : entry.LinkName;
        }
        else if (type == TarEntryType.RegularFile)
        {
            normal.DataStream = entry.DataStream;
        }

        return normal;
    }
}
