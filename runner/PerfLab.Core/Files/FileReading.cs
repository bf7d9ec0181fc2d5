namespace PerfLab.Core.Files;

/// <summary>
/// What a file holds, or every problem that kept it from being read, each with the member it is about ("cells[3].verdict") or, where the
/// text is no JSON, line and byte. Exactly one of the two says something.
/// </summary>
public sealed record FileReading<T>(T? Value, IReadOnlyList<Problem> Problems)
    where T : class;

/// <summary>A record with rules that no single member can keep: they are asked when every member is right by itself.</summary>
public interface IChecked
{
    /// <summary>Each with the member it is about, relative to the record; empty for the record itself.</summary>
    IEnumerable<Problem> Problems();
}
