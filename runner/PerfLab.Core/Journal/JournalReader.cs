using PerfLab.Core.Model;

namespace PerfLab.Core.Journal;

/// <summary>What a journal's bytes say: the samples, or the record at which it is damaged.</summary>
/// <param name="Samples">Null when the journal is damaged.</param>
/// <param name="Damage">One sentence that names the record, or null.</param>
/// <param name="ValidBytes">Length of the longest valid prefix.</param>
/// <param name="NextSeq">Number of the record that would follow.</param>
/// <param name="BootIds">Boot ids of the session's start and of every resumption that recorded one.</param>
public sealed record JournalContents(SampleSet? Samples, string? Damage, int ValidBytes, long NextSeq, IReadOnlyList<string> BootIds);

/// <summary>
/// Reads samples.ndjson as hostile input. A torn last line (cut before its line feed) is left out with a warning; anything else that
/// does not fit is damage, and nothing after it is believed.
/// </summary>
public static class JournalReader
{
    private static readonly JsonDocumentOptions Strict = new() { MaxDepth = 32, AllowDuplicateProperties = false };
    private static readonly UTF8Encoding Utf8 = new(false, throwOnInvalidBytes: true);

    public static JournalContents Read(ReadOnlyMemory<byte> journal)
    {
        var state = new JournalState();
        var position = 0;
        long seq = 0;
        while (position < journal.Length)
        {
            var rest = journal[position..];
            var lineFeed = rest.Span.IndexOf((byte)'\n');
            var line = lineFeed < 0 ? rest : rest[..lineFeed];
            try
            {
                ReadRecord(line, seq, state);
            }
            catch (Exception exception) when (exception is BadRecordException or JsonException or DecoderFallbackException or InvalidOperationException)
            {
                if (lineFeed < 0 && seq > 0)
                {
                    state.Warnings.Add($"The last record (#{seq}) is torn and was left out.");
                    break;
                }

                return new(null, $"journal damaged at record #{seq} (line {seq + 1}): {exception.Message}", position, seq, state.BootIds);
            }

            seq++;
            position += lineFeed < 0 ? line.Length : line.Length + 1;
        }

        return state.Header is null
            ? new(null, "journal damaged at record #0 (line 1): the file is empty.", 0, 0, [])
            : new(state.ToSamples(), null, position, seq, state.BootIds);
    }

    private static void ReadRecord(ReadOnlyMemory<byte> line, long seq, JournalState state)
    {
        CheckCrc(line.Span);
        // The JSON reader accepts some malformed UTF-8 inside strings until it is asked for them; ask here, once.
        _ = Utf8.GetCharCount(line.Span);
        using var document = JsonDocument.Parse(line, Strict);
        var record = new RecordObject(document.RootElement, "record");
        var kind = record.Text("kind");
        var found = record.Number("seq");
        if (found != seq)
        {
            throw new BadRecordException($"seq is {found}, expected {seq}.");
        }

        if ((seq == 0) != (kind == "session"))
        {
            throw new BadRecordException(seq == 0 ? "the first record is not of kind session." : "a second session record.");
        }

        if (state.Ended)
        {
            throw new BadRecordException("a record after the end.");
        }

        _ = record.Text("crc");
        state.Add(kind, record);
        record.End();
    }

    private static void CheckCrc(ReadOnlySpan<byte> line)
    {
        if (line.StartsWith("\uFEFF"u8))
        {
            throw new BadRecordException("it begins with a byte order mark, which a journal never has: an editor or a copy changed the file.");
        }

        if (line.EndsWith("\r"u8))
        {
            throw new BadRecordException("the line ends with CR LF, and a journal's lines end with LF: a copy changed the file.");
        }

        // …,"crc":"xxxxxxxx"} : 18 bytes that close every line.
        const int Tail = 18;
        if (line.Length < Tail + 2 || !line[^Tail..].StartsWith(",\"crc\":\""u8) || !line.EndsWith("\"}"u8))
        {
            throw new BadRecordException("the line does not close with its crc.");
        }

        var body = line[..^Tail];
        var written = Encoding.ASCII.GetString(line[^10..^2]);
        if (written != Crc.Text(body))
        {
            throw new BadRecordException($"crc is {written}, the contents give {Crc.Text(body)}.");
        }
    }
}
