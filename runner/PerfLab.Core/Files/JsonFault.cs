using System.Text.RegularExpressions;

namespace PerfLab.Core.Files;

/// <summary>
/// What the JSON reader found wrong, in words for the person who wrote the file: line and member, no names of our types. The patterns are
/// the messages of System.Text.Json 10; one that is not known is passed on without its position, which comes first anyway.
/// </summary>
public static partial class JsonFault
{
    public static string Text(JsonException exception)
    {
        var member = exception.Path is { Length: > 2 } path && path.StartsWith("$.", StringComparison.Ordinal) ? path[2..] : "the file";
        return string.Create(CultureInfo.InvariantCulture, $"line {(exception.LineNumber ?? 0) + 1}, {member}: {What(exception.Message)}");
    }

    private static string What(string message) =>
        Missing().Match(message) is { Success: true } missing ? $"without {missing.Groups["names"].Value.Replace("'", "", StringComparison.Ordinal)}"
        : message.Contains("could not be mapped", StringComparison.Ordinal) ? "unknown member"
        : message.Contains("could not be converted", StringComparison.Ordinal) ? "not the kind of value that belongs here"
        : message.StartsWith("Duplicate property", StringComparison.Ordinal) ? "written twice"
        : message.Contains("does not contain any JSON tokens", StringComparison.Ordinal) ? "empty"
        : Position().Replace(message, "");

    [GeneratedRegex("missing required properties including: (?<names>.+)\\.$", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex Missing();

    [GeneratedRegex(" Path: .*$", RegexOptions.CultureInvariant | RegexOptions.Singleline, 1000)]
    private static partial Regex Position();
}
