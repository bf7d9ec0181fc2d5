using System.Buffers.Binary;
using System.Text;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Engine.Tests.Docker.Engine;

public sealed class LogTailTests
{
    [Theory]
    [InlineData("", "")]
    [InlineData("\n\n", "")]
    [InlineData("one", "one")]
    [InlineData("one\ntwo\n", "one\ntwo")]
    public void Short_output_is_kept_as_it_is(string text, string kept) => LogTail.Last(text).ShouldBe(kept);

    [Fact]
    public void Of_many_lines_the_last_twenty_are_kept() =>
        LogTail.Last(string.Join('\n', Enumerable.Range(1, 50))).ShouldBe(string.Join('\n', Enumerable.Range(31, 20)));

    [Fact]
    public void Of_a_long_line_the_last_4_000_characters_are_kept() =>
        LogTail.Last(new string('a', 10_000) + "end").ShouldBe(new string('a', 3_997) + "end");

    [Fact]
    public async Task Frames_of_both_streams_are_joined_and_of_a_flood_the_end_is_kept()
    {
        using var log = new MemoryStream([.. Frame(1, "out\n"), .. Frame(2, "error\n")]);
        (await LogTail.ReadAsync(log, CancellationToken.None)).ShouldBe("out\nerror\n");
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
