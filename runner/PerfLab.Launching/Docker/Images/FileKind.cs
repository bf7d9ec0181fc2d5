using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace PerfLab.Launching.Docker.Images;

/// <summary>
/// Tells regular files from pipes, sockets and devices without opening them. .NET has no public way: it calls them all "Normal", and
/// opening a pipe waits for a writer.
/// </summary>
public static partial class FileKind
{
    // statx(2): the structure's layout is the same on every architecture, stx_mode is the 16-bit number at 28.
    private const int CurrentFolder = -100;
    private const int NoFollow = 0x100;
    private const uint TypeOnly = 1;
    private const int ModeOffset = 28;
    private const int TypeMask = 0xF000;
    private const int Regular = 0x8000;

    /// <summary>False for everything else, and for what can't be asked.</summary>
    public static bool IsRegular(string path)
    {
        var answer = new byte[256];
        return Statx(CurrentFolder, path, NoFollow, TypeOnly, answer) == 0
            && (BinaryPrimitives.ReadUInt16LittleEndian(answer.AsSpan(ModeOffset)) & TypeMask) == Regular;
    }

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Statx(int folder, string path, int flags, uint mask, [Out] byte[] answer);
}
