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
