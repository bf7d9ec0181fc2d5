using System.Formats.Tar;

namespace PerfLab.Launching.Docker.Images;

/// <summary>
/// Tar entries that depend on nothing but their content: fixed times, root as owner. GNU format, because .NET writes its process id
/// into the headers of the pax format, and ustar ends at 100 characters of a name.
/// </summary>
public static class TarEntries
{
    public const UnixFileMode Readable =
        UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.OtherRead;

    public const UnixFileMode Executable =
        Readable | UnixFileMode.UserExecute | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute;

    public static GnuTarEntry Make(TarEntryType type, string name, UnixFileMode mode) => new(type, name)
    {
        ModificationTime = DateTimeOffset.UnixEpoch,
        AccessTime = default,
        ChangeTime = default,
        Mode = mode,
        Uid = 0,
        Gid = 0,
    };

    public static GnuTarEntry Folder(string name) => Make(TarEntryType.Directory, name.TrimEnd('/') + "/", Executable);

    public static GnuTarEntry File(string name, Stream content, UnixFileMode mode = Readable)
    {
        var entry = Make(TarEntryType.RegularFile, name, mode);
        entry.DataStream = content;
        return entry;
    }

    public static GnuTarEntry Text(string name, string content) => File(name, new MemoryStream(System.Text.Encoding.UTF8.GetBytes(content)));
}
