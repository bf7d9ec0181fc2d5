namespace PerfLab.Building.Tools;

/// <summary>Whatever appears under the file's name is whole: written beside it and renamed.</summary>
public static class WholeFile
{
    public static void Write(string file, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        var unfinished = $"{file}.{Guid.NewGuid():n}";
        File.WriteAllText(unfinished, text);
        File.Move(unfinished, file, overwrite: true);
    }
}
