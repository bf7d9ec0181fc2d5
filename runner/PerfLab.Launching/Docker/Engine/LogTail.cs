using System.Buffers.Binary;

namespace PerfLab.Launching.Docker.Engine;

/// <summary>
/// Reads the engine's multiplexed log (8-byte header: stream, three zeros, big-endian length) and keeps its end, in bounded memory
/// whatever was printed. The two streams may be out of order by a moment: the engine reads them from two pipes.
/// </summary>
internal static class LogTail
{
    public const int Lines = 20;

    /// <summary>What the engine is asked for: more than is shown, because the line that says why may not be among the last.</summary>
    public const int LinesAsked = 200;
    public const int Characters = 4_000;

    private const int KeptBytes = 4 * Characters; // UTF-8 needs at most four bytes a character

    /// <summary>The end of the log, up to 32,000 bytes. A broken or cut frame ends it there.</summary>
    public static async Task<string> ReadAsync(Stream log, CancellationToken cancellationToken)
    {
        var kept = new byte[2 * KeptBytes];
        var count = 0;
        var header = new byte[8];
        while (await log.ReadAtLeastAsync(header, 8, throwOnEndOfStream: false, cancellationToken) == 8)
        {
            if (header[0] > 2 || (header[1] | header[2] | header[3]) != 0)
            {
                break;
            }

            var left = BinaryPrimitives.ReadUInt32BigEndian(header.AsSpan(4));
            while (left > 0)
            {
                if (count == kept.Length)
                {
                    kept.AsSpan(KeptBytes).CopyTo(kept);
                    count = KeptBytes;
                }

                var read = await log.ReadAsync(kept.AsMemory(count, (int)Math.Min(left, (uint)(kept.Length - count))), cancellationToken);
                if (read == 0)
                {
                    return Encoding.UTF8.GetString(kept, 0, count);
                }

                count += read;
                left -= (uint)read;
            }
        }

        return Encoding.UTF8.GetString(kept, 0, count);
    }

    /// <summary>The last lines of <paramref name="text"/>, cut at the front to the bounds.</summary>
    public static string Last(string text)
    {
        var trimmed = text.TrimEnd('\n', '\r');
        var start = trimmed.Length;
        for (var lines = 0; lines < Lines && start > 0; lines++)
        {
            start = trimmed.LastIndexOf('\n', start - 1);
            if (start < 0)
            {
                start = 0;
                break;
            }
        }

        start = Math.Max(trimmed.Length > 0 && start < trimmed.Length && trimmed[start] == '\n' ? start + 1 : start, trimmed.Length - Characters);
        return trimmed[start..];
    }
}
