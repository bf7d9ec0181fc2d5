using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Runner.Tests.History;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>Steps that no pull request is stopped by, held against one budget: through the commands, over journals and a history.</summary>
public sealed class BudgetTests : IDisposable
{
    /// <summary>Six of these are 4.9 %, seven 5.7 %.</summary>
    private static readonly double Step = Math.Log(1.008);

    /// <summary>The noise of the journals, and its centre.</summary>
    private const double Noise = 0.0005, Centre = 3 * Noise;

    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task of_ten_steps_of_eight_tenths_of_a_percent_the_seventh_overspends_five_percent()
    {
        Budget("0.05");
        var codes = new List<int>();
        for (var step = 1; step <= 10; step++)
        {
            codes.Add((await Compare(step, Step)).Code);
            await Merged(step);
        }

        codes.ShouldBe([0, 0, 0, 0, 0, 0, 3, 3, 3, 3]);
    }

    [Fact]
    public async Task a_row_says_where_main_stands_and_what_both_are_together()
    {
        Budget("0.05");
        await Merged(6);
        var (code, output, _) = await Compare(7, Step);
        code.ShouldBe(ExitCode.Regressed);
        output.ShouldContain("no change found in 1", customMessage: "each step alone is below the margin");
        output.ShouldContain("The budget since the anchor:");
        output.ShouldContain("here; main is at +4.9 % [");
        output.ShouldContain("since 0000000 (2026-03-13); together +5.7 % [");
        output.ShouldContain("budget 5 %: overspent");
        var json = (await Compare(7, Step, "--json")).Out;
        var comparison = Comparison.File.Read(json).Value!;
        comparison.Summary.OverBudget.ShouldBe(1);
        comparison.Cells[0].Budget!.Newest.Commit.ShouldBe("c6");
        Write("comparison.json", System.Text.Encoding.UTF8.GetBytes(json));
        foreach (var format in new[] { "markdown", "html" })
        {
            var report = (await _lab.RunAsync($"report comparison.json --format {format}")).Out;
            report.ShouldContain("The budget since the anchor");
            report.ShouldContain("budget 5 %: overspent");
        }
    }

    [Fact]
    public async Task nothing_and_an_improvement_fail_nobody_however_much_main_has_spent()
    {
        Budget("0.05");
        await Merged(10);
        (await Compare(11, 0)).Code.ShouldBe(0);
        (await Compare(11, -Step)).Code.ShouldBe(0);
        (await Compare(11, Step)).Code.ShouldBe(ExitCode.Regressed);
    }

    [Fact]
    public async Task a_step_is_let_pass_where_the_interval_still_holds_the_budget()
    {
        Budget("0.055");
        await Merged(6);
        var (code, output, _) = await Compare(7, Step);
        code.ShouldBe(0);
        output.ShouldContain("budget 5.5 %: not overspent for certain");
        output.ShouldNotContain(": overspent");
    }

    [Fact]
    public async Task without_a_history_or_a_budget_or_for_another_program_nothing_is_said()
    {
        Budget("0.05");
        (await Compare(7, Step)).Out.ShouldNotContain("budget since");
        await Merged(6);
        (await Compare(7, Step, workload: "another")).Out.ShouldNotContain("budget since");
        (await Compare(2, Step)).Out.ShouldNotContain("budget since", customMessage: "what was measured later is not known yet");
        (await Compare(7, Step)).Out.ShouldContain("budget since");
        Budget(null);
        var (code, output, _) = await Compare(7, Step);
        (code, output.Contains("budget since", StringComparison.Ordinal)).ShouldBe((0, false));
    }

    [Fact]
    public async Task rows_that_spent_little_are_counted_and_not_listed()
    {
        Budget("0.05");
        await Merged(1);
        (await Compare(2, 0)).Out.ShouldContain("1 row: less than half of 5 % is spent");
    }

    private void Budget(string? budget)
    {
        var file = Path.Combine(_lab.Root, "perf-lab.yaml");
        var lines = File.ReadAllLines(file).Where(line => !line.StartsWith("budget:", StringComparison.Ordinal));
        File.WriteAllLines(file, budget is null ? lines : lines.Append($"budget: {budget}"));
    }

    /// <summary>A weekly session of main after so many steps.</summary>
    private async Task Merged(int step)
    {
        Write("week.ndjson", Journals.Trend($"week-{step}", $"c{step}", (step * Step) - Centre, day: 2 * step, noise: Noise));
        (await _lab.RunAsync("history import week.ndjson")).Code.ShouldBe(0);
    }

    /// <summary>A pull request on top of the step before.</summary>
    [Theory]
    [InlineData("5")]
    [InlineData("-0.01")]
    public async Task a_budget_is_a_fraction(string budget)
    {
        var file = Path.Combine(_lab.Root, "perf-lab.yaml");
        var lines = (await File.ReadAllLinesAsync(file)).Where(line => !line.StartsWith("budget:", StringComparison.Ordinal));
        await File.WriteAllLinesAsync(file, [.. lines, $"budget: {budget}"]);
        var (code, _, error) = await _lab.RunAsync("list");
        code.ShouldBe(2, error);
        error.ShouldContain("budget: ");
    }

    private Task<(int Code, string Out, string Error)> Compare(
        int step, double slower, string more = "--plain", string workload = "some-workload")
    {
        Write("pull.ndjson", Journals.Of(
            $"pull-{step}", slower - Centre, (2 * step) - 1, workload, arms: [("base", $"c{step - 1}"), ("head", $"c{step}")],
            noise: Noise));
        return _lab.RunAsync($"compare pull.ndjson --fail-on budget {more}");
    }

    private void Write(string name, byte[] journal) => File.WriteAllBytes(Path.Combine(_lab.Root, name), journal);
}
