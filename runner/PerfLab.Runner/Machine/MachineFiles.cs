using System.Text;

namespace PerfLab.Runner.Machine;

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

    private const int MostBytes = 64 << 10;

    /// <summary>The first 64 KiB, null when there are none to be had.</summary>
    /// <param name="path">Absolute, as the kernel's documents name it: "/proc/stat".</param>
    public string? Text(string path)
    {
        try
        {
            using var stream = new FileStream(At(path), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
            var buffer = new byte[MostBytes];
            var count = stream.ReadAtLeast(buffer, buffer.Length, throwOnEndOfStream: false);
            return Encoding.UTF8.GetString(buffer, 0, count);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            return null;
        }
    }

    /// <summary>What <paramref name="parse"/> makes of the file, or <see cref="Absent"/>, or <see cref="Unknown"/> when it makes null of it.</summary>
    public object Fact(string path, Func<string, object?> parse) =>
        Text(path) is { } text ? parse(text) ?? Unknown : Exists(path) ? Unknown : Absent;

    public bool Exists(string path) => Path.Exists(At(path));

    private string At(string path) => Path.Combine(root, path.TrimStart('/'));
}
