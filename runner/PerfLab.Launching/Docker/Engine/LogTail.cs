using System.Buffers.Binary;

namespace PerfLab.Launching.Docker.Engine;

/// <summary>
/// Reads the engine's multiplexed log (8-byte header: stream, three zeros, big-endian length) and keeps its end. The two streams may be out
/// of order by a moment: the engine reads them from two pipes.
/// </summary>
internal static class LogTail
{
    /// <summary>What the engine is asked for: more than is shown, because the line that says why may not be among the last.</summary>
    public const int LinesAsked = 200;

    /// <summary>The end of the log, without the last line feeds. A broken or cut frame ends it there.</summary>
    public static async Task<string> ReadAsync(Stream log, CancellationToken cancellationToken)
    {
        var tail = new OutputTail(2 * OutputTail.Characters);
        var header = new byte[8];
        var buffer = new byte[64 * 1024];
        while (await log.ReadAtLeastAsync(header, 8, throwOnEndOfStream: false, cancellationToken) == 8
            && header[0] <= 2 && (header[1] | header[2] | header[3]) == 0)
        {
            for (var left = BinaryPrimitives.ReadUInt32BigEndian(header.AsSpan(4)); left > 0;)
            {
                var read = await log.ReadAsync(buffer.AsMemory(0, (int)Math.Min(left, (uint)buffer.Length)), cancellationToken);
                if (read == 0)
                {
                    break;
                }

                tail.Add(buffer.AsSpan(0, read));
                left -= (uint)read;
            }
        }

        return tail.All().TrimEnd('\n', '\r');
    }
}
