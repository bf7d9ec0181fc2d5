using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Sessions;

/// <summary>A file that somebody names, or "-" for standard input, read whole and never further than its limit.</summary>
internal static class InputFile
{
    private const string StandardInput = "-";

    /// <summary>The path as the other steps take it: relative to where the person stands, "-" as it is.</summary>
    public static string Locate(Terminal terminal, string named) =>
        named == StandardInput ? named : Path.Combine(terminal.WorkingFolder, named);

    /// <summary>The same for a file of a session, for which its folder may be named.</summary>
    /// <param name="file">Its name there: "samples.ndjson".</param>
    public static string LocateInSession(Terminal terminal, string named, string file)
    {
        var path = Locate(terminal, named);
        return IsStandardInput(path) || !Directory.Exists(path) ? path
            : Path.Combine(path, file) is var inside && File.Exists(inside) ? inside
            : throw new LabException($"reading {path}", $"the folder holds no {file}",
                File.Exists(Path.Combine(path, SessionFolder.Journal))
                ? $"it was cut before it was compared: `./perf-lab compare {named} --json > {Path.Combine(named, file)}` makes it"
                : "name a session's folder (without --out it is in .perf-lab/sessions), or the file");
    }

    /// <summary>The same for an option's value; a file that is not there is wrong use.</summary>
    public static string Locate(Terminal terminal, string named, string option) => Locate(terminal, named) is var path && (IsStandardInput(path) || File.Exists(path)) ? path
        : throw new WrongUseException([new(option, $"there is no file {path}")]);

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
                    throw new LabException($"reading {Name(path)}", $"it is larger than the {(mostBytes < 1 << 20 ? mostBytes >> 10 : mostBytes >> 20)} {(mostBytes < 1 << 20 ? "KiB" : "MiB")} it may have", whenTooLarge);
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
