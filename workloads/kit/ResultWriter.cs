using System.IO;
using System.Text;

namespace PerfLab.WorkloadKit;

/// <summary>Writes the result in one step: who looks sees no result or the whole one.</summary>
internal static class ResultWriter
{
    public static void Write(string path, string json)
    {
        var unfinished = path + ".unfinished";
        using (var file = new FileStream(unfinished, FileMode.Create, FileAccess.Write, FileShare.None))
        {
            var bytes = Encoding.ASCII.GetBytes(json);
            file.Write(bytes, 0, bytes.Length);
            file.Flush(flushToDisk: true);
        }

        // netstandard2.0 can't move over an existing file; the lab gives every launch a path that does not exist yet.
        File.Delete(path);
        File.Move(unfinished, path);
    }
}
