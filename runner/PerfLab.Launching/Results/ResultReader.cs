using System.Text.Unicode;

namespace PerfLab.Launching.Results;

/// <summary>
/// Reads result.json as hostile input: what a workload wrote is believed only when it has exactly the agreed shape and could be true.
/// </summary>
public static class ResultReader
{
    private static readonly JsonDocumentOptions Strict = new() { MaxDepth = 32, AllowDuplicateProperties = false };

    /// <summary>Never throws for anything that may lie at <paramref name="path"/>, and never waits.</summary>
    public static ResultReading Read(string path, ExpectedResult expected)
    {
        var (bytes, problem) = ResultFile.Read(path);
        if (bytes is null)
        {
            return new ResultReading(
                null, [problem ?? "no result: the program ended without writing the file that PERF_LAB_RESULT names"], Absent: problem is null);
        }

        return Parse(bytes, expected);
    }

    private static ResultReading Parse(byte[] bytes, ExpectedResult expected)
    {
        if (EncodingProblem(bytes) is { } problem)
        {
            return new ResultReading(null, [problem]);
        }

        try
        {
            using var document = JsonDocument.Parse(bytes, Strict);
            var text = JsonText.Problem(document.RootElement);
            return text is not null ? new ResultReading(null, [text]) : new ResultChecker(expected).Check(document.RootElement);
        }
        catch (JsonException e)
        {
            return new ResultReading(null, [$"the result is not strict JSON: {Quote.Of(e.Message, 200)}"]);
        }
        catch (InvalidOperationException)
        {
            // Thrown by Parse itself: it unescapes names to find duplicates, and does not expect half a surrogate pair there.
            return new ResultReading(null, ["the result is not strict JSON: the name of a member has half a surrogate pair"]);
        }
    }

    private static string? EncodingProblem(ReadOnlySpan<byte> bytes) =>
        bytes.IsEmpty ? "the result is empty"
        : bytes.StartsWith("\uFEFF"u8) ? "the result starts with a byte order mark, expected plain UTF-8"
        : !Utf8.IsValid(bytes) ? "the result is not valid UTF-8"
        : null;
}
