using System.Text;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;

namespace PerfLab.Core.Tests.Journal;

public class JournalTests
{
    private static readonly Cell ExampleCell = new()
    {
        Id = "c001",
        Workload = "json-round-trip",
        Dimensions = new SortedDictionary<string, string> { ["pgo"] = "on", ["runtime"] = "net10.0.14" },
        Parameters = new SortedDictionary<string, string> { ["documents"] = "1000" },
        Arms =
        [
            new() { Id = "base", Dimensions = new SortedDictionary<string, string> { ["framework"] = "newtonsoft@12.0.3" }, Build = "sha256:aa" },
            new() { Id = "head", Dimensions = new SortedDictionary<string, string> { ["framework"] = "newtonsoft@13.0.3" }, Build = "sha256:bb" },
        ],
        Metrics = [new("throughput", "doc/s", Better.Higher, Primary: true), new("allocated", "B/doc", Better.Lower, Kind: MetricKind.Exact)],
    };

    private static readonly SessionHeader Header = new()
    {
        Session = "20261121-031500-0a0b",
        Plan = "sha256:cc",
        Seed = 7,
        Started = DateTimeOffset.UnixEpoch,
        Executor = "docker",
        Policy = new Policy(),
        Cells = [ExampleCell],
    };

    private static Launch Launch(int round, string arm, Outcome outcome = Outcome.Measured) => new()
    {
        Cell = "c001",
        Stage = Stage.Screen,
        Round = round,
        Position = 0,
        Arm = arm,
        Pad = outcome == Outcome.Measured ? 4095 : null,
        Started = DateTimeOffset.UnixEpoch,
        WallSeconds = 5.1,
        Outcome = outcome,
        Metrics = outcome == Outcome.Measured ? new Dictionary<string, double> { ["throughput"] = 51234.5, ["allocated"] = 8123 } : new Dictionary<string, double>(),
        ExitCode = outcome == Outcome.Failed ? 134 : null,
        Tail = outcome == Outcome.Failed ? "boom \u001b[31m ü" : null,
    };

    private static readonly byte[] Example =
    [
        .. JournalLine.Of(0, Header),
        .. JournalLine.Of(1, Launch(0, "head")),
        .. JournalLine.Of(2, new SharedEvidence("e2", new() { ["framework"] = ".NET 10.0.14" })),
        .. JournalLine.Of(3, Launch(0, "base") with { Evidence = new() { ["ref"] = "e2" } }),
        .. JournalLine.Of(4, Launch(1, "base", Outcome.Failed)),
        .. JournalLine.Of(5, new VoidedRound("c001", Stage.Screen, 1, 0, "clock step of 0.4 s")),
        .. JournalLine.Of(6, new SessionResumed("boot-1", DateTimeOffset.UnixEpoch)),
        .. JournalLine.Of(7, new SessionEnd("complete")),
    ];

    [Fact]
    public void the_checksum_is_crc32c() => Crc.Text("123456789"u8).ShouldBe("e3069283");

    [Fact]
    public void what_is_written_is_read_again()
    {
        var contents = JournalReader.Read(Example);
        contents.Damage.ShouldBeNull();
        var samples = contents.Samples!;
        samples.Complete.ShouldBeTrue();
        samples.Header.Cells.Single().Metrics[1].Kind.ShouldBe(MetricKind.Exact);
        samples.Header.Policy.ShouldBe(new Policy());
        samples.Launches.Count.ShouldBe(3);
        samples.Launches[1].Evidence["framework"]!.GetValue<string>().ShouldBe(".NET 10.0.14");
        samples.Launches.Select(launch => launch.Pad).ShouldBe([4095, 4095, null]);
        samples.Launches[2].Tail.ShouldBe("boom \u001b[31m ü");
        samples.Voids.Single().Reason.ShouldBe("clock step of 0.4 s");
        contents.BootIds.ShouldBe(["boot-1"]);
        samples.Warnings.Single().ShouldStartWith("Resumed after an interruption");
    }

    [Fact]
    public void cut_at_every_byte_the_longest_valid_prefix_is_kept_and_the_torn_record_named()
    {
        var ends = Example.Index().Where(item => item.Item == '\n').Select(item => item.Index).ToList();
        for (var length = 0; length < Example.Length; length++)
        {
            var contents = JournalReader.Read(Example.AsMemory(0, length));
            // A record that lost only its line feed is whole.
            var whole = ends.Count(end => end <= length);
            if (whole == 0)
            {
                contents.Damage!.ShouldContain("record #0", customMessage: $"cut at {length}");
                continue;
            }

            contents.Damage.ShouldBeNull($"cut at {length}");
            contents.NextSeq.ShouldBe(whole, $"cut at {length}");
            var torn = length > ends[whole - 1] + 1;
            contents.Samples!.Warnings.Any(warning => warning.Contains($"(#{whole}) is torn")).ShouldBe(torn, $"cut at {length}");
        }
    }

    [Fact]
    public void with_every_byte_flipped_in_turn_nothing_wrong_is_believed()
    {
        for (var at = 0; at < Example.Length; at++)
        {
            var flipped = (byte[])Example.Clone();
            flipped[at] ^= 0x01;
            var record = Example.Take(at).Count(value => value == '\n');
            var contents = JournalReader.Read(flipped);
            if (contents.Damage is { } damage)
            {
                damage.ShouldContain($"record #{record} ", customMessage: $"flipped at {at}");
            }
            else
            {
                // Only the last line feed: without it the last record ends in garbage, and is torn.
                at.ShouldBe(Example.Length - 1);
                contents.NextSeq.ShouldBe(7);
            }
        }
    }

    [Fact]
    public void a_gap_in_seq_names_the_record() =>
        Damage([.. JournalLine.Of(0, Header), .. JournalLine.Of(2, Launch(0, "head")), .. JournalLine.Of(3, new SessionEnd("complete"))])
            .ShouldBe("journal damaged at record #1 (line 2): seq is 2, expected 1.");

    [Fact]
    public void a_copy_that_changed_line_ends_or_added_a_mark_is_told_from_damage_by_name()
    {
        Damage(Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(Example).Replace("\n", "\r\n"))).ShouldContain("CR LF");
        Damage([0xEF, 0xBB, 0xBF, .. Example]).ShouldContain("byte order mark");
    }

    [Fact]
    public void an_end_other_than_complete_is_a_warning() =>
        JournalReader.Read((byte[])[.. JournalLine.Of(0, Header), .. JournalLine.Of(1, new SessionEnd("stopped"))])
            .Samples!.Warnings.ShouldBe(["The session ended as 'stopped', not complete."]);

    [Theory]
    [InlineData("""{"kind":"launch","seq":1,"cell":"c001","stage":"screen","round":0,"position":0,"arm":"head","started":"2026-01-01T00:00:00Z","wallSeconds":-1,"outcome":"failed","evidence":{},"hygiene":{}""", "wallSeconds: must be a finite number of at least 0, is -1")]
    [InlineData("""{"kind":"launch","seq":1,"cell":"c009","stage":"screen","round":0,"position":0,"arm":"head","started":"2026-01-01T00:00:00Z","wallSeconds":1,"outcome":"failed","evidence":{},"hygiene":{}""", "a cell that the session record does not list")]
    [InlineData("""{"kind":"launch","seq":1,"cell":"c001","stage":"screen","round":0,"position":0,"arm":"tail","started":"2026-01-01T00:00:00Z","wallSeconds":1,"outcome":"failed","evidence":{},"hygiene":{}""", "has no arm of that name")]
    [InlineData("""{"kind":"launch","seq":1,"cell":"c001","stage":"screen","round":-1,"position":0,"arm":"head","started":"2026-01-01T00:00:00Z","wallSeconds":1,"outcome":"failed","evidence":{},"hygiene":{}""", "round: must be a whole number of at least 0, is -1")]
    [InlineData("""{"kind":"launch","seq":1,"cell":"c001","stage":"screen","round":0,"position":0,"arm":"head","started":"2026-01-01T00:00:00Z","wallSeconds":1,"outcome":"measured","metrics":{"throughput":1e999},"evidence":{},"hygiene":{}""", "metrics.throughput: must be a finite number, is 1e999")]
    [InlineData("""{"kind":"launch","seq":1,"cell":"c001","stage":"screen","round":0,"position":0,"arm":"head","started":"2026-01-01T00:00:00Z","wallSeconds":1,"outcome":"measured","metrics":{"other":1},"evidence":{},"hygiene":{}""", "does not declare")]
    [InlineData("""{"kind":"launch","seq":1,"cell":"c001","stage":"screen","round":0,"position":0,"arm":"head","started":"2026-01-01T00:00:00Z","wallSeconds":1,"outcome":"measured","metrics":{},"evidence":{},"hygiene":{}""", "without the primary metric")]
    [InlineData("""{"kind":"launch","seq":1,"cell":"c001","stage":"screen","round":0,"position":0,"arm":"head","started":"2026-01-01T00:00:00Z","wallSeconds":1,"outcome":"great","evidence":{},"hygiene":{}""", "outcome: must be one of measured, failed")]
    [InlineData("""{"kind":"launch","seq":1,"cell":"c001","stage":"screen","round":0,"position":0,"arm":"head","started":"2026-01-01T00:00:00Z","wallSeconds":1,"outcome":"failed","evidence":{"ref":"e7"},"hygiene":{}""", "evidence that was not written before")]
    [InlineData("""{"kind":"launch","seq":1,"seq":1,"cell":"c001","stage":"screen","round":0,"position":0,"arm":"head","started":"2026-01-01T00:00:00Z","wallSeconds":1,"outcome":"failed","evidence":{},"hygiene":{}""", "record #1")]
    [InlineData("""{"kind":"void","seq":1,"cell":"c001","stage":"screen","round":0,"attempt":0,"reason":"x","more":1""", "more: is not known here")]
    [InlineData("""{"kind":"party","seq":1""", "kind: must be one of session, launch")]
    public void a_record_that_does_not_fit_is_damage_even_with_a_right_checksum(string body, string expected) =>
        Damage([.. JournalLine.Of(0, Header), .. Line(body), .. JournalLine.Of(2, new SessionEnd("complete"))]).ShouldContain(expected);

    [Theory]
    [InlineData("", "outcome: is missing")]
    [InlineData(""","outcome":5""", "outcome: must be text, is a number")]
    [InlineData(""","outcome":null""", "outcome: must be text, is null")]
    [InlineData(""","outcome":"x","outcome":"y" """, "outcome: is there twice")]
    [InlineData(""","outcome":"\ud800" """, "outcome: holds half a surrogate pair")]
    [InlineData(""","outcome":"x","other":1""", "other: is not known here")]
    [InlineData(""","outcome":1e400""", "outcome: must be text")]
    [InlineData(""","outcome":"x" """, null)]
    public void an_end_that_is_none_is_damage(string rest, string? expected)
    {
        var contents = JournalReader.Read((byte[])[.. JournalLine.Of(0, Header), .. Line("""{"kind":"end","seq":1""" + rest), .. Line("x")]);
        contents.Damage.ShouldNotBeNull().ShouldContain(expected is null ? "record #2" : $"record #1 (line 2): {expected}");
    }

    [Theory]
    [InlineData("""{"kind":"evidence","seq":1,"id":"e1","value":{"a":1e400}""", "value.a: must be a finite number")]
    [InlineData("""{"kind":"evidence","seq":1,"id":"e1","value":{"a":1,"a":1}""", "value.a: is there twice")]
    [InlineData("""{"kind":"evidence","seq":1,"id":"e1","value":{"\udc00":1}""", "half a surrogate pair")]
    [InlineData("""{"kind":"resumed","seq":1,"bootId":"b","started":"2026-01-01T00:00:00+01:00" """, "started: must be a time in UTC")]
    [InlineData("""{"kind":"resumed","seq":1,"bootId":"b","started":"2026-01-01" """, "started: must be a time in UTC")]
    [InlineData("""{"kind":"void","seq":1,"cell":"c001","stage":"screen","round":0,"attempt":4,"reason":"x" """, "attempt: must be a whole number from 0 to 3, is 4")]
    [InlineData("""{"kind":"\ud800","seq":1""", "kind: holds half a surrogate pair")]
    [InlineData("""{"\ud800":1,"kind":"end","seq":1,"outcome":"x" """, "half a surrogate pair")]
    public void a_value_that_is_out_of_its_bounds_is_damage(string body, string expected) =>
        Damage([.. JournalLine.Of(0, Header), .. Line(body), .. JournalLine.Of(2, new SessionEnd("complete"))]).ShouldContain(expected);

    [Fact]
    public void a_line_with_thousands_of_mistakes_makes_a_short_sentence()
    {
        var strangers = string.Concat(Enumerable.Range(0, 5000).Select(index => $",\"x{index}\":1"));
        var damage = Damage([.. JournalLine.Of(0, Header), .. Line("""{"kind":"end","seq":1,"outcome":"x" """ + strangers), .. JournalLine.Of(2, new SessionEnd("complete"))]);
        damage.ShouldEndWith("and more.");
        damage.Length.ShouldBeLessThan(400);
    }

    [Fact]
    public void the_bytes_of_a_launch_are_these() =>
        Encoding.UTF8.GetString(JournalLine.Of(4, Launch(1, "base", Outcome.Failed) with { Hygiene = new() { ["a"] = "ü<" } })).ShouldBe(
            """{"kind":"launch","seq":4,"cell":"c001","stage":"screen","round":1,"attempt":0,"position":0,"arm":"base","started":"1970-01-01T00:00:00.000Z","wallSeconds":5.1,"outcome":"failed","exitCode":134,"tail":"boom \u001B[31m ü","evidence":{},"hygiene":{"a":"ü<"},"crc":"b4233e54"}"""
            + "\n");

    [Fact]
    public void an_attempt_that_is_absent_is_the_first()
    {
        const string body = """{"kind":"launch","seq":1,"cell":"c001","stage":"screen","round":0,"position":0,"arm":"head","started":"2026-01-01T00:00:00Z","wallSeconds":1,"outcome":"failed","evidence":{},"hygiene":{}""";
        JournalReader.Read((byte[])[.. JournalLine.Of(0, Header), .. Line(body)]).Samples!.Launches.ShouldHaveSingleItem().Attempt.ShouldBe(0);
    }

    [Fact]
    public void one_arm_cannot_be_launched_twice_in_one_attempt() =>
        Damage([.. JournalLine.Of(0, Header), .. JournalLine.Of(1, Launch(0, "head")), .. JournalLine.Of(2, Launch(0, "head")), .. JournalLine.Of(3, new SessionEnd("x"))])
            .ShouldContain("twice in one attempt");

    [Fact]
    public void nothing_follows_the_end() =>
        Damage([.. JournalLine.Of(0, Header), .. JournalLine.Of(1, new SessionEnd("complete")), .. JournalLine.Of(2, new SessionEnd("complete"))]).ShouldContain("after the end");

    [Fact]
    public void depth_beyond_32_is_refused() =>
        Damage([.. JournalLine.Of(0, Header), .. Line($$"""{"kind":"evidence","seq":1,"id":"e1","value":{{string.Concat(Enumerable.Repeat("""{"a":""", 40))}}1{{new string('}', 40)}}"""), .. JournalLine.Of(2, new SessionEnd("x"))])
            .ShouldContain("record #1");

    private static string Damage(byte[] journal)
    {
        var contents = JournalReader.Read(journal);
        contents.Samples.ShouldBeNull();
        return contents.Damage!;
    }

    private static byte[] Line(string body)
    {
        var bytes = Encoding.UTF8.GetBytes(body);
        return [.. bytes, .. Encoding.UTF8.GetBytes($",\"crc\":\"{Crc.Text(bytes)}\"}}\n")];
    }

    [Fact]
    public void what_a_journal_made_elsewhere_leaves_out_has_its_default()
    {
        var header = JournalReader.Read(Line(
            """
            {"kind":"session","seq":0,"schema":"perf-lab/samples/1","session":"s","plan":"p","seed":1,"started":"2026-03-01T14:05:09Z","executor":"hand","machine":{},"policy":{"margin":0.02},"cells":[{"id":"c001","workload":"w","dimensions":{},"parameters":{},"arms":[{"id":"base","dimensions":{},"build":null}],"metrics":[{"name":"m","unit":"s","better":"lower"},{"name":"n","unit":"s","better":"lower","primary":true}]}]
            """)).Samples.ShouldNotBeNull().Header;

        header.Policy.ShouldBe(new Policy { Margin = 0.02 });
        header.Cells.ShouldHaveSingleItem().Metrics.Select(metric => metric.Primary).ShouldBe([false, true]);
    }

    [Fact]
    public void the_il_of_an_arm_and_the_wish_for_one_il_come_back()
    {
        var arm = ExampleCell.Arms[0] with { Il = "sha256:dd" };
        var header = Header with { SameIl = true, Cells = [ExampleCell with { Arms = [arm, ExampleCell.Arms[1]] }] };
        var read = JournalReader.Read(JournalLine.Of(0, header)).Samples!.Header;
        read.SameIl.ShouldBeTrue();
        read.Cells[0].Arms.Select(one => one.Il).ShouldBe(["sha256:dd", null]);
        var without = Encoding.UTF8.GetString(JournalLine.Of(0, Header));
        without.ShouldNotContain("\"il\"");
        without.ShouldNotContain("sameIl");
    }
}
