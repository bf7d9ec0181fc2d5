namespace PerfLab.Runner.Tests.Commands;

public sealed class ForeignImportTests : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task what_another_tool_measured_is_kept_searched_and_exported()
    {
        await Write("results.csv", "time,commit,mean\n" + string.Concat(Enumerable.Range(0, 80)
            .Select(at => $"{at},c{at},{(at < 40 ? 100 : 150) + (at * 7 % 5)}\n")));
        await Write("data.js", """
            window.BENCHMARK_DATA = { "entries": { "suite": [
              { "commit": { "id": "abc" }, "date": 1, "benches": [ { "name": "parse", "value": 3, "unit": "ns" } ] } ] } }
            """);
        var (code, said, error) = await _lab.RunAsync("history import data.js --csv results.csv");
        code.ShouldBe(0, error);
        said.ShouldContain("1 series of another tool kept, 80 values: no pairs, no proof of any setting");
        var trend = (await _lab.RunAsync("trend")).Out;
        trend.ShouldContain("measured by other tools (2 series)");
        trend.ShouldContain("between c39 (1970-01-01) and c40 (1970-01-01)");
        trend.ShouldContain("not searched, fewer than 60 values: 1 series");

        (await _lab.RunAsync("history import --csv results.csv")).Code.ShouldBe(0);
        (await _lab.RunAsync("trend")).Out.ShouldBe(trend, "the same name takes its own place");

        (await _lab.RunAsync("history export data")).Code.ShouldBe(0);
        Directory.GetFiles(Path.Combine(_lab.Root, "data"), "foreign-*.json").Length.ShouldBe(2);
    }

    [Fact]
    public async Task a_file_that_is_cut_keeps_nothing_and_is_named()
    {
        await Write("cut.csv", "time,mean\n1,2\n2,");
        await Write("cut.json", "[{ \"timestamp\": 1, ");
        var (code, said, error) = await _lab.RunAsync("history import cut.json gone.json --csv cut.csv");
        code.ShouldBe(Core.Model.ExitCode.Failed);
        said.ShouldBe("");
        error.ShouldContain("cut.csv: its last line has no end");
        error.ShouldContain("cut.json: has not the form of Otava's or github-action-benchmark's files: line 1, byte ");
        error.ShouldContain("gone.json: there is no such file");
        (await _lab.RunAsync("trend")).Out.ShouldNotContain("other tools");
        (await _lab.RunAsync("history import")).Code.ShouldBe(Core.Model.ExitCode.WrongUse);
    }

    private Task Write(string name, string text) => File.WriteAllTextAsync(Path.Combine(_lab.Root, name), text);
}
