using System.Text;
using System.Text.Json.Nodes;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;

namespace PerfLab.Core.Tests.Journal;

/// <summary>The quick reader may leave a line to the strict one; what it takes must be what the strict one takes.</summary>
public sealed class FastJournalReaderTests
{
    private static readonly JournalRecord[] Records =
    [
        Launch(),
        Launch() with { Stage = Stage.Repeat, Attempt = 3, Pad = null, Seq = long.MaxValue },
        Launch() with { Stage = Stage.Confirm, Arm = "höher", Metrics = new Dictionary<string, double> { ["time"] = -0.0 }, WallSeconds = 0 },
        Launch() with { Evidence = new() { ["ref"] = "e7" }, Hygiene = new() { ["steal"] = new JsonArray(0.25, null, true, new JsonObject()) } },
        new SharedEvidence("e7", new() { ["outside"] = new JsonObject { ["cpus"] = "1", ["peakMemoryBytes"] = 1503232 } }) { Seq = 9 },
    ];

    [Fact]
    public void every_line_as_we_write_it_is_taken()
    {
        foreach (var record in Records)
        {
            var line = Line(record);

            new FastJournalReader().Read(line).ShouldNotBeNull(Encoding.UTF8.GetString(line));
            Text(new FastJournalReader().Read(line)!).ShouldBe(Text(JournalLine.File.Read(line).Value!));
        }
    }

    [Theory]
    [InlineData("\"outcome\":\"measured\"", "\"outcome\":\"failed\"")]
    [InlineData("\"attempt\":0,", "")]
    [InlineData("\"cell\":\"c001\"", "\"cell\":\"c\\u0030\"")]
    [InlineData("\"attempt\":0,", "\"attempt\":4,")]
    [InlineData("\"round\":3", "\"round\":-1")]
    [InlineData("\"round\":3", "\"round\":3.5")]
    [InlineData("\"round\":3", "\"round\":4294967299")]
    [InlineData("\"pad\":4095", "\"pad\":null")]
    [InlineData("\"wallSeconds\":5.1", "\"wallSeconds\":-0.1")]
    [InlineData("\"wallSeconds\":5.1", "\"wallSeconds\":1e999")]
    [InlineData("\"metrics\":{", "\"metrics\":{\"throughput\":1,")]
    [InlineData("\"metrics\":{", "\"metrics\":{\"x\":\"1\",")]
    [InlineData("\"evidence\":{}", "\"evidence\":{\"a\":1,\"a\":2}")]
    [InlineData("\"evidence\":{}", "\"evidence\":{\"a\":1e999}")]
    [InlineData("\"evidence\":{}", "\"evidence\":[]")]
    [InlineData("\"started\":\"1970-01-01T00:00:00.000Z\"", "\"started\":\"1970-01-01T00:00:00.000+00:00\"")]
    [InlineData("\"started\":\"1970-01-01T00:00:00.000Z\"", "\"started\":\"1970-02-30T00:00:00.000Z\"")]
    [InlineData("\"crc\":\"", "\"crc\":\"A")]
    [InlineData("\"hygiene\":{}", "\"hygiene\":{},\"hygiene\":{}")]
    [InlineData("\"hygiene\":{}", "\"hygiene\":{},\"more\":1")]
    public void any_other_line_is_left_to_the_strict_reader(string from, string to)
    {
        var line = Encoding.UTF8.GetString(Line(Launch()));
        line.ShouldContain(from);

        new FastJournalReader().Read(Encoding.UTF8.GetBytes(line.Replace(from, to, StringComparison.Ordinal))).ShouldBeNull();
    }

    [Fact]
    public void objects_in_objects_beyond_the_limit_are_left_to_the_strict_reader()
    {
        var deep = string.Concat(Enumerable.Repeat("{\"a\":", 40)) + "1" + new string('}', 40);
        var line = Encoding.UTF8.GetString(Line(Launch())).Replace("\"evidence\":{}", $"\"evidence\":{deep}", StringComparison.Ordinal);

        new FastJournalReader().Read(Encoding.UTF8.GetBytes(line)).ShouldBeNull();
    }

    [Fact]
    public void with_any_byte_changed_nothing_is_taken_that_the_strict_reader_refuses_or_reads_as_something_else()
    {
        var quick = new FastJournalReader();
        foreach (var line in Records.Select(Line))
        {
            for (var at = 0; at < line.Length; at++)
            {
                foreach (var other in "\"\\{}[]:,0-.eE+ aZ\n\u0000"u8.ToArray().Append((byte)0xff).Append((byte)(line[at] ^ 1)))
                {
                    var changed = (byte[])line.Clone();
                    changed[at] = other;
                    if (quick.Read(changed) is { } taken)
                    {
                        var strict = JournalLine.File.Read(changed);
                        strict.Value.ShouldNotBeNull($"{Encoding.UTF8.GetString(changed)}: {string.Join("; ", strict.Problems)}");
                        Text(taken).ShouldBe(Text(strict.Value));
                    }
                }
            }
        }
    }

    [Fact]
    public void a_name_that_comes_again_is_the_same_string()
    {
        var lines = new FastJournalReader();

        var (one, other) = ((Launch)lines.Read(Line(Launch()))!, (Launch)lines.Read(Line(Launch() with { Round = 4 }))!);

        other.Cell.ShouldBeSameAs(one.Cell);
        other.Metrics.Keys.First().ShouldBeSameAs(one.Metrics.Keys.First());
    }

    private static byte[] Line(JournalRecord record) => JournalLine.Of(record.Seq, record)[..^1];

    private static string Text(JournalRecord record) => JournalLine.File.Write(record);

    private static Launch Launch() => new()
    {
        Seq = 12,
        Cell = "c001",
        Stage = Stage.Screen,
        Round = 3,
        Position = 1,
        Arm = "head",
        Pad = 4095,
        Started = DateTimeOffset.UnixEpoch,
        WallSeconds = 5.1,
        Outcome = Outcome.Measured,
        Metrics = new Dictionary<string, double> { ["throughput"] = 51234.5, ["allocated"] = 8123 },
    };
}
