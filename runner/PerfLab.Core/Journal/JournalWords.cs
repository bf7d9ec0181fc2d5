namespace PerfLab.Core.Journal;

/// <summary>The words that stand for our enumerations in samples.ndjson.</summary>
public static class JournalWords
{
    /// <summary>As files write it.</summary>
    public static string Of(Enum value) => JsonNamingPolicy.KebabCaseLower.ConvertName(value.ToString());
}
