using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Programs;

/// <summary>A file that somebody names, or "-" for standard input, read whole and never further than its limit.</summary>
public static class InputFile
{
    private const string StandardInput = "-";

    /// <summary>The path as the other steps take it: relative to where the person stands, "-" as it is.</summary>
    public static string Locate(Terminal terminal, string named) =>
        named == StandardInput ? named : Path.Combine(terminal.WorkingFolder, named);

    /// <summary>The same for an option's value; a file that is not there is wrong use.</summary>
    public static string Locate(Terminal terminal, string named, string option) =>
        Locate(terminal, named) is var path && (IsStandardInput(path) || File.Exists(path)) ? path
            : throw new WrongUseException([new(option, $"there is no file {path}")]);

    /// <summary>Whether a path is the sign for standard input.</summary>
    public static bool IsStandardInput(string path) => path == StandardInput;

    /// <summary>For messages.</summary>
    public static string Name(string path) => IsStandardInput(path) ? "standard input" : path;

    /// <exception cref="LabException">It can't be read, or is not of this format: every problem at once.</exception>
    public static T Read<T>(FileFormat<T> format, string path, string toDo)
        where T : class
    {
        var reading = format.Read(Read(path, format.MostBytes, toDo, toDo));
        return reading.Value ?? throw new LabException($"reading {Name(path)}", string.Join("; ", reading.Problems), toDo);
    }

    /// <exception cref="LabException">It can't be read, or is larger than <paramref name="mostBytes"/>.</exception>
    public static byte[] Read(string path, long mostBytes, string toDo, string whenTooLarge)
    {
        try
        {
            using var source = IsStandardInput(path) ? Console.OpenStandardInput() : File.OpenRead(path);
            // Its length is a guess, for the room: a pipe has none, and a file may grow meanwhile.
            using var bytes = new MemoryStream(source.CanSeek ? (int)Math.Min(source.Length, mostBytes) : 0);
            var buffer = new byte[1 << 16];
            int count;
            while ((count = source.Read(buffer)) > 0)
            {
                bytes.Write(buffer, 0, count);
                if (bytes.Length > mostBytes)
                {
                    var most = mostBytes < 1 << 20 ? $"{mostBytes >> 10} KiB" : $"{mostBytes >> 20} MiB";
                    throw new LabException($"reading {Name(path)}", $"it is larger than the {most} it may have", whenTooLarge);
                }
            }

            return bytes.Length == bytes.Capacity ? bytes.GetBuffer() : bytes.ToArray();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            var cameBack = Directory.Exists(path) ? "it is a folder" : exception.Message;
            throw new LabException($"reading {Name(path)}", cameBack, toDo, exception);
        }
    }
}
