using System.Security.Cryptography;

namespace PerfLab.Building;

/// <summary>Names bits by what they are: equal identity, equal files.</summary>
public static class BuildIdentity
{
    /// <summary>
    /// "sha256:…" over every file of a folder in ordinal order of its relative path: path, executable bit, length and contents. Times,
    /// owners and where the folder lies do not count.
    /// </summary>
    public static string Of(string folder)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var files = Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories)
            .Select(file => (File: file, Name: Path.GetRelativePath(folder, file).Replace(Path.DirectorySeparatorChar, '/')))
            .OrderBy(file => file.Name, StringComparer.Ordinal);
        foreach (var (file, name) in files)
        {
            AppendFile(hash, file, name);
        }

        return "sha256:" + Convert.ToHexStringLower(hash.GetHashAndReset());
    }

    internal static void AppendFile(IncrementalHash hash, string file, string name)
    {
        using var stream = File.OpenRead(file);
        var executable = File.GetUnixFileMode(file).HasFlag(UnixFileMode.UserExecute);
        AppendText(hash, string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{name}\0{(executable ? 'x' : '-')}\0{stream.Length}"));
        hash.AppendData(SHA256.HashData(stream));
    }

    // The end mark keeps "ab" + "c" apart from "a" + "bc".
    internal static void AppendText(IncrementalHash hash, string text) => hash.AppendData(Encoding.UTF8.GetBytes(text + "\0"));
}
