using PerfLab.Core.Model;
using PerfLab.Launching.Results;

namespace PerfLab.Runner.Tests.Execution.Results;

public sealed class ResultReaderTests : IDisposable
{
    private const string Good = """
        {"schema":"perf-lab/result/1","nonce":"n1","measuredSeconds":3.0021,
         "metrics":{"throughput":{"value":51234.5,"unit":"doc/s"},"allocated":{"value":0,"unit":"B/doc"}},
         "windows":{"throughput":[51011.2,51400.9]},"histograms":{"latency":{"unit":"s","digits":3,"counts":[[1200,5],[1201,9]]}},
         "evidence":{"framework":".NET 10.0.14","gcServer":false,"processors":2}}
        """;

    private static readonly ExpectedResult Expected = new(
        "n1",
        [new("throughput", "doc/s", Better.Higher, Primary: true), new("allocated", "B/doc", Better.Lower, Kind: MetricKind.Exact)],
        WallSeconds: 5.1);

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");

    private string File => Path.Combine(folder.FullName, "result.json");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact]
    public void the_example_of_the_format_is_read()
    {
        var result = Read(Good).Result!;

        result.Metrics["throughput"].Value.ShouldBe(51234.5);
        result.Metrics["allocated"].Value.ShouldBe(0, "an exact metric may be zero");
        result.MeasuredSeconds.ShouldBe(3.0021);
        result.Windows["throughput"].ShouldBe([51011.2, 51400.9]);
        result.Histograms["latency"].Counts[1].ShouldBe(new(1201, 9));
        result.Evidence["framework"]!.GetValue<string>().ShouldBe(".NET 10.0.14");
    }

    [Fact]
    public void windows_histograms_and_evidence_may_be_missing()
    {
        const string small = """
            {"schema":"perf-lab/result/1","nonce":"n1","measuredSeconds":1,"metrics":{"throughput":{"value":1,"unit":"doc/s"},"allocated":{"value":2,"unit":"B/doc"}}}
            """;

        Read(small).Problems.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("0", null)]
    [InlineData("1e-300", "metrics.allocated.value is 1E-300, expected 0 or a number above it (from 1e-18 to 1e18)")]
    [InlineData("-24", "metrics.allocated.value is -24, expected 0 or a number above it")]
    public void beside_the_metric_that_is_judged_nothing_at_all_is_a_value(string allocated, string? problem)
    {
        System.IO.File.WriteAllText(File, Good.Replace("\"value\":0,", $"\"value\":{allocated},", StringComparison.Ordinal));

        var problems = ResultReader.Read(File, Expected with { Metrics = [Expected.Metrics[0], Expected.Metrics[1] with { Kind = MetricKind.Sampled }] })
            .Problems;

        if (problem is null)
        {
            problems.ShouldBeEmpty();
        }
        else
        {
            problems.ShouldHaveSingleItem().ShouldContain(problem);
        }
    }

    [Fact]
    public void no_file_is_absent_rather_than_refused()
    {
        var reading = ResultReader.Read(File, Expected);

        reading.Absent.ShouldBeTrue();
        reading.Problems.ShouldHaveSingleItem().ShouldContain("PERF_LAB_RESULT");
    }

    /// <summary>Each row replaces a piece of the good example; the problem must name the field and what was found.</summary>
    [Theory]
    [InlineData("\"n1\"", "\"n2\"", "nonce is the text \"n2\", expected \"n1\"")]
    [InlineData("\"n1\"", "1", "nonce: must be text, is a number")]
    [InlineData("\"nonce\":\"n1\",", "", "nonce: is missing")]
    [InlineData("result/1", "result/2", "schema: must be \"perf-lab/result/1\"")]
    [InlineData("\"schema\":\"perf-lab/result/1\",", "", "schema: is missing")]
    [InlineData("51234.5", "NaN", "not strict JSON")]
    [InlineData("51234.5", "\"NaN\"", "metrics.throughput.value: must be a finite number, is text")]
    [InlineData("51234.5", "Infinity", "not strict JSON")]
    [InlineData("51234.5", "-Infinity", "not strict JSON")]
    [InlineData("51234.5", "1e999", "metrics.throughput.value: must be a finite number, is 1e999")]
    [InlineData("51234.5", "-1e999", "metrics.throughput.value: must be a finite number, is -1e999")]
    [InlineData("51234.5", "1e308", "metrics.throughput.value is 1E+308, expected a number above 0")]
    [InlineData("51234.5", "1e-300", "metrics.throughput.value is 1E-300")]
    [InlineData("51234.5", "1,5", "not strict JSON")]
    [InlineData("51234.5", "\"1,5\"", "metrics.throughput.value: must be a finite number, is text")]
    [InlineData("51234.5", "0x10", "not strict JSON")]
    [InlineData("51234.5", "٣", "not strict JSON")]
    [InlineData("51234.5", "+1", "not strict JSON")]
    [InlineData("51234.5", "01", "not strict JSON")]
    [InlineData("51234.5", "null", "metrics.throughput.value: must be a finite number, is null")]
    [InlineData("51234.5", "[1]", "metrics.throughput.value: must be a finite number, is a list")]
    [InlineData("51234.5", "0", "metrics.throughput.value is 0, expected a number above 0")]
    [InlineData("51234.5", "-3", "metrics.throughput.value is -3")]
    [InlineData("\"value\":0", "\"value\":-1", "metrics.allocated.value is -1, expected 0 or more")]
    [InlineData("\"doc/s\"", "\"doc/ms\"", "metrics.throughput.unit is the text \"doc/ms\", expected \"doc/s\"")]
    [InlineData("\"doc/s\"", "null", "metrics.throughput.unit: must be text, is null")]
    [InlineData(",\"unit\":\"doc/s\"", "", "metrics.throughput.unit: is missing")]
    [InlineData("\"unit\":\"doc/s\"", "\"unit\":\"doc/s\",\"x\":1", "metrics.throughput.x: is not known here")]
    [InlineData("\"throughput\":{\"value\":51234.5,\"unit\":\"doc/s\"},", "", "metrics.throughput is missing, expected a value in doc/s")]
    [InlineData("\"allocated\":", "\"latency\":{\"value\":1,\"unit\":\"s\"},\"allocated\":", "metrics has 'latency'")]
    [InlineData("\"allocated\":", "\"throughput\":{\"value\":1,\"unit\":\"doc/s\"},\"allocated\":", "metrics.throughput: is there twice")]
    [InlineData("\"allocated\":", "\"through\\u0070ut\":{\"value\":1,\"unit\":\"doc/s\"},\"allocated\":", "metrics.throughput: is there twice")]
    [InlineData("\"value\":51234.5", "\"value\":51234.5,\"value\":1", "metrics.throughput.value: is there twice")]
    [InlineData("3.0021", "0", "measuredSeconds: must be a finite number above 0, is 0")]
    [InlineData("3.0021", "-1", "measuredSeconds: must be a finite number above 0, is -1")]
    [InlineData("3.0021", "5.2", "measuredSeconds is 5.2, expected at most the 5.1 s")]
    [InlineData("3.0021", "\"3\"", "measuredSeconds: must be a finite number, is text")]
    [InlineData("\"measuredSeconds\":3.0021,", "", "measuredSeconds: is missing")]
    [InlineData("\"evidence\":", "\"extra\":1,\"evidence\":", "extra: is not known here")]
    [InlineData("\"evidence\":", "\"\\u001b[31m\":1,\"evidence\":", "?[31m: is not known here")]
    [InlineData("51011.2,", "-1,", "windows.throughput[0]: must be a finite number of at least 0, is -1")]
    [InlineData("51011.2,", "\"a\",", "windows.throughput[0]: must be a finite number, is text")]
    [InlineData("\"windows\":{\"throughput\"", "\"windows\":{\"other\"", "windows.other is of no metric")]
    [InlineData("\"windows\":{\"throughput\":[51011.2,51400.9]}", "\"windows\":[1]", "windows: must be an object, is a list")]
    [InlineData("[1200,5]", "[1202,5]", "histograms.latency.counts")]
    [InlineData("[1200,5]", "[1200,0]", "histograms.latency.counts")]
    [InlineData("[1200,5]", "[1200.5,5]", "histograms.latency.counts")]
    [InlineData("[1200,5]", "[1200]", "histograms.latency.counts")]
    [InlineData("\"digits\":3", "\"digits\":9", "histograms.latency.digits: must be a whole number from 1 to 5, is 9")]
    [InlineData("\"latency\"", "\"../x\"", "its name must be a name of a-z")]
    [InlineData("false", "1e999", "evidence.gcServer: must be a finite number, is 1e999")]
    [InlineData("\".NET 10.0.14\"", "\"\\ud800\"", "evidence.framework: holds half a surrogate pair")]
    [InlineData("\"framework\"", "\"\\udc00\"", "half a surrogate pair")]
    [InlineData("\"processors\":2}}", "\"processors\":2}", "not strict JSON")]
    [InlineData("\"processors\":2}}", "\"processors\":2}} {}", "not strict JSON")]
    [InlineData("\"processors\":2}}", "\"processors\":2,}}", "not strict JSON")]
    [InlineData("\"processors\":2}}", "\"processors\":2}}// bye", "not strict JSON")]
    public void a_result_that_is_not_as_agreed_is_refused(string piece, string instead, string problem)
    {
        Good.ShouldContain(piece);
        var at = Good.IndexOf(piece, StringComparison.Ordinal);

        Refusal(Good[..at] + instead + Good[(at + piece.Length)..]).ShouldContain(problem);
    }

    [Theory]
    [InlineData("", "not strict JSON")]
    [InlineData("null", "must be an object, is null")]
    [InlineData("[]", "must be an object, is a list")]
    [InlineData("\"x\"", "must be an object, is text")]
    [InlineData("\uFEFF{}", "byte order mark")]
    [InlineData("{", "not strict JSON")]
    [InlineData("\0\0\0\0", "not strict JSON")]
    public void other_texts_are_refused(string text, string problem) => Refusal(text).ShouldContain(problem);

    [Fact]
    public void every_cut_of_a_good_result_is_refused()
    {
        for (var length = 0; length < Good.TrimEnd().Length; length++)
        {
            Read(Good[..length]).Result.ShouldBeNull();
        }
    }

    [Fact]
    public void bytes_that_are_no_utf8_are_refused()
    {
        System.IO.File.WriteAllBytes(File, [(byte)'"', 0xC3, 0x28, (byte)'"']);

        ResultReader.Read(File, Expected).Problems.ShouldHaveSingleItem().ShouldContain("is not UTF-8");
    }

    [Fact]
    public void a_depth_bomb_is_refused() => Refusal(new string('[', 500_000)).ShouldContain("not strict JSON");

    [Fact]
    public void a_huge_string_is_refused_and_not_repeated()
    {
        var problem = Refusal(Good.Replace("\"n1\"", $"\"{new string('x', 900_000)}\"", StringComparison.Ordinal));

        problem.ShouldStartWith("nonce is the text \"xxxx");
        problem.Length.ShouldBeLessThan(200);
    }

    [Fact]
    public void ten_million_samples_are_too_large()
    {
        var samples = string.Concat(Enumerable.Repeat("1,", 10_000_000));

        Refusal(Good.Replace("51011.2,", samples, StringComparison.Ordinal)).ShouldContain("expected at most 1048576");
    }

    [Fact]
    public void too_many_windows_and_too_much_evidence_are_refused()
    {
        Refusal(Good.Replace("51011.2,", string.Concat(Enumerable.Repeat("1,", 200_000)), StringComparison.Ordinal)).ShouldContain("at most 100000 numbers");
        Refusal(Good.Replace(".NET 10.0.14", new string('e', 70_000), StringComparison.Ordinal)).ShouldContain("evidence: must have at most 65536 characters");
    }

    [Fact]
    public void every_problem_is_named_at_once()
    {
        var text = Good.Replace("n1", "n2", StringComparison.Ordinal).Replace("3.0021", "99", StringComparison.Ordinal);

        Read(text).Problems.Count.ShouldBe(2);
    }

    [Fact]
    public void a_flood_of_problems_is_cut()
    {
        var strangers = string.Concat(Enumerable.Range(0, 50_000).Select(i => $"\"x{i}\":1,"));
        var problems = Read("{" + strangers + Good[1..]).Problems;

        problems.Count.ShouldBe(11);
        problems[^1].ShouldBe("and more");
    }

    private string Refusal(string text)
    {
        var reading = Read(text);
        reading.Result.ShouldBeNull();
        reading.Absent.ShouldBeFalse();
        return string.Join('\n', reading.Problems);
    }

    private ResultReading Read(string text)
    {
        System.IO.File.WriteAllText(File, text);
        return ResultReader.Read(File, Expected);
    }
}
