namespace PerfLab.Building.Tools;

/// <summary>Files that travel inside the runner.</summary>
internal static class EmbeddedText
{
    public static string Read(string name)
    {
        using var stream = typeof(EmbeddedText).Assembly.GetManifestResourceStream(name)
            ?? throw new InvalidOperationException($"{name} is not embedded in the runner");
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    }
}
