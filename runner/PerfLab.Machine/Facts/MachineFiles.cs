namespace PerfLab.Machine.Facts;

/// <summary>
/// The kernel's files about this machine. Every one may be missing, empty, forbidden or nonsense: reading never throws and never takes
/// more than a bounded piece.
/// </summary>
/// <param name="root">"/" on a machine; a folder of fixtures in a test.</param>
public sealed class MachineFiles(string root = "/")
{
    /// <summary>What a fact says when its file does not exist here.</summary>
    public const string Absent = "absent";

    /// <summary>What a fact says when its file exists but tells nothing that can be understood.</summary>
    public const string Unknown = "unknown";

    /// <summary>Enough for what grows with the machine: /proc/stat and /proc/interrupts of 1,024 cores.</summary>
    public const int Large = 4 << 20;

    /// <summary>Enough for every other file.</summary>
    public const int Usual = 64 << 10;

    private const int MostNames = 100_000;

    /// <summary>The first bytes as text, null when there are none to be had.</summary>
    /// <param name="path">Absolute, as the kernel's documents name it: "/proc/stat".</param>
    /// <param name="most">How many bytes; 64 KiB unless told.</param>
    public string? Text(string path, int most = Usual)
    {
        try
        {
            using var stream = new FileStream(At(path), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
            var buffer = new byte[Math.Min(most, Usual)];
            var count = stream.ReadAtLeast(buffer, buffer.Length, throwOnEndOfStream: false);
            while (count == buffer.Length && count < most)
            {
                Array.Resize(ref buffer, Math.Min(most, 4 * count));
                count += stream.ReadAtLeast(buffer.AsSpan(count), buffer.Length - count, throwOnEndOfStream: false);
            }

            return Encoding.UTF8.GetString(buffer, 0, count);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            return null;
        }
    }

    /// <summary>What <paramref name="parse"/> makes of the file, or <see cref="Absent"/>, or <see cref="Unknown"/> when it makes null of it.</summary>
    public object Fact(string path, Func<string, object?> parse, int most = Usual) =>
        Text(path, most) is { } text ? parse(text) ?? Unknown : Exists(path) ? Unknown : Absent;

    public bool Exists(string path) => Path.Exists(At(path));

    /// <summary>Names in a folder, sorted; none when it can't be listed.</summary>
    public IReadOnlyList<string> Names(string folder)
    {
        try
        {
            return [.. Directory.EnumerateFileSystemEntries(At(folder)).Take(MostNames).Select(path => Path.GetFileName(path)).Order(StringComparer.Ordinal)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            return [];
        }
    }

    /// <summary>What exists of a path in which one folder's name ends in a star: "/sys/devices/system/cpu/cpu*/online". At most 256.</summary>
    public IReadOnlyList<string> All(string path)
    {
        var star = path.IndexOf('*');
        var slash = path.LastIndexOf('/', star);
        var (folder, name, rest) = (path[..slash], path[(slash + 1)..star], path[(star + 1)..]);
        return [.. Names(folder).Where(found => found.StartsWith(name, StringComparison.Ordinal)).Select(found => $"{folder}/{found}{rest}").Where(Exists).Take(256)];
    }

    /// <summary>Where a symbolic link points to; null when it is none.</summary>
    public string? LinkTarget(string path)
    {
        try
        {
            return new FileInfo(At(path)).LinkTarget;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>The path below the root, for what is not read as text.</summary>
    public string At(string path) => Path.Combine(root, path.TrimStart('/'));
}
