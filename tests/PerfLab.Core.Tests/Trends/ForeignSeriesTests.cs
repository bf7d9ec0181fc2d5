using PerfLab.Core.Trends;

namespace PerfLab.Core.Tests.Trends;

/// <summary>
/// The samples have the form of published files: `examples/csv/data/local_sample.csv` (33052b74), `examples/json/data/sample.json` (8894acb7)
/// and docs/JSON.md (14b45a84) of apache/otava; `dev/bench/data.js` as benchmark-action/github-action-benchmark writes it, seen in
/// greymistcube/libplanet (2023-06-16, tool benchmarkdotnet). Persons are left out.
/// </summary>
public sealed class ForeignSeriesTests
{
    private const string OtavaCsv = """
        time,commit,metric1,metric2
        2026.01.01 3:00:00 +0100,aaa0,154023,10.43
        2026.01.02 3:00:00 +0100,aaa1,138455,10.23

        """;

    private const string OtavaJson = """
        [
          { "timestamp": 1767222000, "metrics": [ { "name": "metric1", "value": 154023 }, { "name": "metric2", "value": 10.43 } ],
            "attributes": { "branch": "main", "commit": "aaa0" } },
          { "timestamp": 1767308400, "metrics": [ { "name": "metric1", "value": 138455 }, { "name": "metric2", "value": 10.23 } ],
            "attributes": { "branch": "main", "commit": "aaa1" } }
        ]
        """;

    private const string DataJs = """
        window.BENCHMARK_DATA = {
          "lastUpdate": 1686924428399,
          "repoUrl": "https://github.com/greymistcube/libplanet",
          "entries": {
            "Benchmark.Net Benchmark": [
              {
                "commit": { "distinct": true, "id": "668e6170100ac4148dc9bbb696538e4f3175e24f", "message": "Use updated API",
                  "timestamp": "2023-06-16T21:27:25+09:00" },
                "date": 1686924406905,
                "tool": "benchmarkdotnet",
                "benches": [
                  { "name": "Libplanet.Benchmarks.Store.PutFirstTx", "value": 116603.78947368421, "unit": "ns", "range": "± 19104.151639076365" }
                ]
              }
            ]
          }
        }
        """;

    [Fact]
    public void the_table_of_otava_is_read()
    {
        var series = CsvSeries.Read("local", OtavaCsv).Series;
        series.Select(one => one.Name).ShouldBe(["local, metric1", "local, metric2"]);
        series[0].Points.ShouldBe([new(Utc(2026, 1, 1, 2), "aaa0", 154023), new(Utc(2026, 1, 2, 2), "aaa1", 138455)]);
    }

    [Fact]
    public void the_json_of_otava_is_read_and_branches_are_told_apart()
    {
        var series = JsonSeries.Read("local", OtavaJson).Series;
        series.Select(one => one.Name).ShouldBe(["local (main), metric1", "local (main), metric2"]);
        series[1].Points[1].ShouldBe(new(DateTimeOffset.FromUnixTimeSeconds(1767308400), "aaa1", 10.23));
        JsonSeries.Read("local", OtavaJson.Replace("\"main\", \"commit\": \"aaa1\"", "\"topic\", \"commit\": \"aaa1\"")).Series.Count.ShouldBe(4);
    }

    [Fact]
    public void the_data_of_github_action_benchmark_is_read()
    {
        var one = JsonSeries.Read("data", DataJs).Series.ShouldHaveSingleItem();
        (one.Tool, one.Name, one.Unit).ShouldBe(
            ("github-action-benchmark", "Benchmark.Net Benchmark, Libplanet.Benchmarks.Store.PutFirstTx", "ns"));
        one.Points.ShouldHaveSingleItem().ShouldBe(new(DateTimeOffset.FromUnixTimeMilliseconds(1686924406905),
            "668e6170100ac4148dc9bbb696538e4f3175e24f", 116603.78947368421));
    }

    [Fact]
    public void a_json_that_is_cut_anywhere_is_refused()
    {
        foreach (var text in new[] { OtavaJson, DataJs })
        {
            for (var chars = 0; chars < text.TrimEnd().Length; chars += 7)
            {
                var reading = JsonSeries.Read("cut", text[..chars]);
                reading.Problem.ShouldNotBeNull();
                reading.Series.ShouldBeEmpty();
            }
        }
    }

    [Fact]
    public void a_table_that_is_cut_inside_a_line_is_refused()
    {
        for (var chars = OtavaCsv.IndexOf('\n') + 2; chars < OtavaCsv.Length; chars++)
        {
            (CsvSeries.Read("cut", OtavaCsv[..chars]).Problem is null).ShouldBe(OtavaCsv[chars - 1] == '\n', OtavaCsv[..chars]);
        }
    }

    [Theory]
    [InlineData("", "has no header")]
    [InlineData("\n", "has no header")]
    [InlineData("time,a\n", "holds no series")]
    [InlineData("time,a\n1,2,3\n", "line 2 has 3 fields, and the header 2")]
    [InlineData("time,a\nyesterday,2\n", "line 2, column time: 'yesterday' is no time")]
    [InlineData("time,a\n1,2\n2,fast\n", "line 3, column a: 'fast' is no number")]
    [InlineData("time,note\n1,slow\n", "holds no series")]
    [InlineData("time,a,a\n1,2,3\n", "two columns are called 'a': they would be one series")]
    public void a_table_that_is_none_is_refused_with_its_place(string text, string why) =>
        CsvSeries.Read("bad", text).Problem.ShouldNotBeNull().ShouldContain(why);

    [Theory]
    [InlineData("{}", "is neither")]
    [InlineData("3", "has not the form")]
    [InlineData("""[{ "timestamp": 1 }]""", "has not the form")]
    [InlineData("""[{ "timestamp": 99999999999999, "metrics": [] }]""", "has not the form")]
    [InlineData("""[{ "timestamp": 1, "metrics": [{ "name": "a", "value": "fast" }] }]""", "has not the form")]
    [InlineData("[]", "holds no series")]
    public void a_json_of_another_form_is_refused(string text, string why) =>
        JsonSeries.Read("bad", text).Problem.ShouldNotBeNull().ShouldContain(why);

    [Fact]
    public void times_backwards_are_put_in_order_and_the_same_time_twice_stays_in_the_order_of_the_file()
    {
        CsvSeries.Read("x", "date;a\n30;3\n20;1\n20;2\n10;\n").Series.ShouldHaveSingleItem()
            .Points.Select(point => point.Value).ShouldBe([null, 1, 2, 3]);
        CsvSeries.Read("x", "sha,a\nc,3\nb,nan\na,Infinity\n").Series.ShouldHaveSingleItem()
            .Points.ShouldBe([new(null, "c", 3), new(null, "b", null), new(null, "a", null)]);
    }

    [Fact]
    public void more_than_100_000_points_are_refused()
    {
        string Table(int points) => "a\n" + string.Concat(Enumerable.Repeat("1\n", points));
        CsvSeries.Read("x", Table(100_000)).Series.ShouldHaveSingleItem().Points.Count.ShouldBe(100_000);
        CsvSeries.Read("x", Table(100_001)).Problem.ShouldNotBeNull().ShouldContain("over the limit of 100000");
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(12)]
    [InlineData(13)]
    [InlineData(59)]
    public void few_values_are_not_searched_and_counted(int points) =>
        ForeignSteps.Of([Step(points, points / 2)]).ShouldEndWith("  not searched, fewer than 60 values: 1 series\n");

    [Fact]
    public void a_step_is_named_with_what_lies_around_it_and_what_it_can_t_prove()
    {
        var text = ForeignSteps.Of([Step(80, 40)]);
        text.ShouldContain("No anchor was measured beside them and no setting is proven");
        text.ShouldContain("  made-up: 80 values of csv\n    between c39 (1970-01-01) and c40 (1970-01-01): ");
        text.ShouldContain(" higher\n");
        text.ShouldNotContain("not searched");
    }

    [Fact]
    public void a_gap_before_a_step_is_passed_over()
    {
        var series = Step(80, 40);
        ForeignSteps.Of([series with { Points = [.. series.Points.Select((point, at) => at == 39 ? point with { Value = null } : point)] }])
            .ShouldContain("between c38 (1970-01-01) and c40 (1970-01-01)");
    }

    [Fact]
    public void equal_values_have_no_step() => ForeignSteps.Of([Step(80, 80) with { Points = [.. Enumerable.Repeat(new ForeignPoint(null, null, 5), 80)] }])
        .ShouldNotContain("between");

    [Fact]
    public void without_series_nothing_is_said() => ForeignSteps.Of([]).ShouldBe("");

    private static ForeignSeries Step(int points, int at) => new()
    {
        Tool = "csv",
        Name = "made-up",
        Points = [.. Enumerable.Range(0, points).Select(index =>
            new ForeignPoint(DateTimeOffset.FromUnixTimeSeconds(index), $"c{index}", (index < at ? 100 : 150) + (index * 7 % 5)))],
    };

    private static DateTimeOffset Utc(int year, int month, int day, int hour) => new(year, month, day, hour, 0, 0, TimeSpan.Zero);
}
