using System.Buffers.Text;
using PerfLab.Core.Files;
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
    private const int MostProblems = 5;

    public static JournalContents Read(ReadOnlyMemory<byte> journal)
    {
        var state = new JournalState();
        var usual = new FastJournalReader();
        var position = 0;
        long seq = 0;
        while (position < journal.Length)
        {
            var rest = journal[position..];
            var lineFeed = rest.Span.IndexOf((byte)'\n');
            var line = lineFeed < 0 ? rest : rest[..lineFeed];
            try
            {
                ReadRecord(line, seq, state, usual);
            }
            catch (BadRecordException exception)
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

    private static void ReadRecord(ReadOnlyMemory<byte> line, long seq, JournalState state, FastJournalReader usual)
    {
        CheckCrc(line.Span);
        var record = usual.Read(line.Span) ?? Strictly(line);
        if (record.Seq != seq)
        {
            throw new BadRecordException(Invariant($"seq is {record.Seq}, expected {seq}."));
        }

        if ((seq == 0) != record is SessionHeader)
        {
            throw new BadRecordException(seq == 0 ? "the first record is not of kind session." : "a second session record.");
        }

        state.Add(record);
    }

    private static JournalRecord Strictly(ReadOnlyMemory<byte> line)
    {
        var (record, problems) = JournalLine.File.Read(line);
        return record ?? throw new BadRecordException(Sentence(problems));
    }

    /// <summary>The first few: a hostile line has thousands.</summary>
    private static string Sentence(IReadOnlyList<Problem> problems) =>
        string.Join("; ", problems.Take(MostProblems)) + (problems.Count > MostProblems ? "; and more." : ".");

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

        if (line.Length < JournalLine.Tail + 2 || !line[^JournalLine.Tail..].StartsWith(",\"crc\":\""u8) || !line.EndsWith("\"}"u8))
        {
            throw new BadRecordException("the line does not close with its crc.");
        }

        var body = line[..^JournalLine.Tail];
        if (!Utf8Parser.TryParse(line[^10..^2], out uint written, out var digits, 'x') || digits != 8 || written != Crc.Compute(body))
        {
            throw new BadRecordException($"crc is {Encoding.ASCII.GetString(line[^10..^2])}, the contents give {Crc.Text(body)}.");
        }
    }
}
