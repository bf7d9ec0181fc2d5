using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Runner.Tests.Commands;

public sealed class CompareCommandTests : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task a_dash_is_standard_input_for_a_journal_and_for_a_comparison()
    {
        var journal = Repository.Read("tests/fixtures/formats/samples.ndjson");
        File.WriteAllText(Path.Combine(_lab.Root, "samples.ndjson"), journal);
        var (_, expected, _) = await _lab.RunAsync("compare samples.ndjson --json");
        (await PipedAsync("compare - --json", journal)).ShouldBe(expected);
        (await PipedAsync("report - --format json", expected)).ShouldBe(expected);
    }

    [Fact]
    public async Task a_sessions_folder_stands_for_its_file()
    {
        Directory.CreateDirectory(Path.Combine(_lab.Root, "session"));
        File.WriteAllText(Path.Combine(_lab.Root, "session", "samples.ndjson"), Repository.Read("tests/fixtures/formats/samples.ndjson"));
        var (_, compared, _) = await _lab.RunAsync("compare session --json");
        compared.ShouldBe((await _lab.RunAsync("compare session/samples.ndjson --json")).Out);

        var (cut, _, said) = await _lab.RunAsync("report session");
        cut.ShouldBe(1);
        said.ShouldContain("the folder holds no comparison.json");
        said.ShouldContain("`./perf-lab compare session --out session` makes it");
        (await _lab.RunAsync("compare session --out session --json")).Out.ShouldBe(compared);
        (await _lab.RunAsync("report session/ --format json")).Out.ShouldBe(compared);
    }

    [Fact]
    public async Task one_call_writes_what_a_session_has()
    {
        File.WriteAllText(Path.Combine(_lab.Root, "samples.ndjson"), Repository.Read("tests/fixtures/formats/samples.ndjson"));
        var (_, compared, _) = await _lab.RunAsync("compare samples.ndjson --json --out new/report");
        string Written(string name) => File.ReadAllText(Path.Combine(_lab.Root, "new", "report", name));
        Written("comparison.json").ShouldBe(compared);
        File.Copy(Path.Combine(_lab.Root, "samples.ndjson"), Path.Combine(_lab.Root, "new", "report", "samples.ndjson"));
        Written("report.md").ShouldBe((await _lab.RunAsync("report new/report --format markdown")).Out);
        Written("report.html").ShouldBe((await _lab.RunAsync("report new/report --format html")).Out);
    }

    [Fact]
    public async Task what_can_not_be_written_is_told_after_the_answer()
    {
        File.WriteAllText(Path.Combine(_lab.Root, "samples.ndjson"), Repository.Read("tests/fixtures/formats/samples.ndjson"));
        var (code, compared, error) = await _lab.RunAsync("compare samples.ndjson --json --out samples.ndjson/report");
        code.ShouldBe(1);
        compared.ShouldStartWith("{");
        error.ShouldContain("reading or writing a file");
    }

    [Fact]
    public async Task two_sessions_are_told_why_they_are_not_compared_with_each_other()
    {
        foreach (var session in new[] { "before", "after" })
        {
            Directory.CreateDirectory(Path.Combine(_lab.Root, session));
        }

        var journal = Repository.Read("tests/fixtures/formats/samples.ndjson");
        File.WriteAllText(Path.Combine(_lab.Root, "before", "samples.ndjson"), journal);
        File.WriteAllBytes(Path.Combine(_lab.Root, "after", "samples.ndjson"), History.Journals.Of("after"));
        var (code, _, error) = await _lab.RunAsync("compare before after");
        code.ShouldBe(2);
        error.ShouldContain("session: these are sessions of different plans, and no session is compared with another: "
            + "base and head are measured in turns, in one. Measure both in one: ./perf-lab run TARGET --base … --head …");
    }

    [Theory]
    [InlineData("compare empty", "the folder holds no samples.ndjson")]
    [InlineData("report empty", "the folder holds no comparison.json")]
    [InlineData("compare samples.ndjson --plan empty", "the folder holds no plan.json")]
    public async Task a_folder_without_the_file_is_told_so(string arguments, string expected)
    {
        Directory.CreateDirectory(Path.Combine(_lab.Root, "empty"));
        File.WriteAllText(Path.Combine(_lab.Root, "samples.ndjson"), Repository.Read("tests/fixtures/formats/samples.ndjson"));
        var (code, _, error) = await _lab.RunAsync(arguments);
        code.ShouldBe(1);
        error.ShouldContain(expected);
        error.ShouldContain("name a session's folder");
    }

    private async Task<string> PipedAsync(string arguments, string input)
    {
        using var program = _lab.Start(arguments);
        await program.StandardInput.WriteAsync(input);
        program.StandardInput.Close();
        var output = await program.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await program.WaitForExitAsync(TestContext.Current.CancellationToken);
        return output;
    }
}
