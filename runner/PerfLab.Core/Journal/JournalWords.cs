namespace PerfLab.Core.Journal;

/// <summary>Words in samples.ndjson that more than one place knows.</summary>
public static class JournalWords
{
    /// <summary>The executor of a session whose launches nobody of us made.</summary>
    public const string Imported = "import";
}
