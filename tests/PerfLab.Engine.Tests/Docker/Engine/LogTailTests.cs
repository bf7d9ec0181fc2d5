using System.Buffers.Binary;
using System.Text;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Engine.Tests.Docker.Engine;

public sealed class LogTailTests
{
    [Theory]
    [InlineData("", "")]
    [InlineData("\n\n", "")]
    [InlineData("one\ntwo\n", "one\ntwo")]
    public async Task The_last_line_feeds_are_left_out(string text, string kept)
    {
        using var log = new MemoryStream(Frame(1, text));
        (await LogTail.ReadAsync(log, CancellationToken.None)).ShouldBe(kept);
    }

    [Fact]
    public async Task Frames_of_both_streams_are_joined_and_of_a_flood_the_end_is_kept()
    {
        using var log = new MemoryStream([.. Frame(1, "out\n"), .. Frame(2, "error\n")]);
        (await LogTail.ReadAsync(log, CancellationToken.None)).ShouldBe("out\nerror");
        using var flood = new MemoryStream([.. Enumerable.Range(0, 100).SelectMany(i => Frame(1, new string('x', 5_000))), .. Frame(2, "the end")]);
        (await LogTail.ReadAsync(flood, CancellationToken.None)).ShouldEndWith("xxthe end");
    }

    [Theory]
    [InlineData(new byte[] { 9, 0, 0, 0, 0, 0, 0, 1, 65 })]
    [InlineData(new byte[] { 1, 0, 0, 0, 255, 255, 255, 255, 65 })]
    [InlineData(new byte[] { 1, 0, 0 })]
    public async Task A_broken_frame_ends_the_tail(byte[] broken)
    {
        using var log = new MemoryStream([.. Frame(1, "good"), .. broken]);
        (await LogTail.ReadAsync(log, CancellationToken.None)).ShouldStartWith("good");
    }

    private static byte[] Frame(byte stream, string text)
    {
        var body = Encoding.UTF8.GetBytes(text);
        var frame = new byte[8 + body.Length];
        frame[0] = stream;
        BinaryPrimitives.WriteUInt32BigEndian(frame.AsSpan(4), (uint)body.Length);
        body.CopyTo(frame, 8);
        return frame;
    }
}
