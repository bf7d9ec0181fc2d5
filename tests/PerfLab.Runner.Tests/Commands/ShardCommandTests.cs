namespace PerfLab.Runner.Tests.Commands;

/// <summary>A plan on two machines, as two sessions here: planned once, built once, measured apart, judged together.</summary>
public sealed class ShardCommandTests : IDisposable
{
    private const string Plan = "plan behaving --base time=100 --head time=105 --set size=1,2,3 --rounds 0+13 --seed 7";

    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task two_shards_are_measured_apart_and_judged_as_one_family()
    {
        await PlannedAsync("--shards 2");
        (await _lab.RunAsync("measure plan.json --shard 1 --out one --executor process")).Code.ShouldBe(0);
        (await _lab.RunAsync("measure plan.json --shard 2 --out two --executor process")).Code.ShouldBe(0);

        var (code, both, error) = await _lab.RunAsync("compare one two/samples.ndjson --plan plan.json");
        code.ShouldBe(0, error);
        both.ShouldContain("3 regressed");
        both.ShouldContain("shard 1: ");
        both.ShouldContain("shard 2: ");
        both.ShouldContain("2 of a kind: ");

        // As the publisher has them: both journals and the plan beside what was judged.
        var folder = Directory.CreateDirectory(Path.Combine(_lab.Root, "judged")).FullName;
        var judged = (await _lab.RunAsync("compare one two/samples.ndjson --plan plan.json --json")).Out;
        await File.WriteAllTextAsync(Path.Combine(folder, "comparison.json"), judged);
        (await _lab.RunAsync("report judged --format markdown")).Out.ShouldContain("| `c001` |");
        File.Copy(Path.Combine(_lab.Root, "one/samples.ndjson"), Path.Combine(folder, "samples-1.ndjson"));
        File.Copy(Path.Combine(_lab.Root, "two/samples.ndjson"), Path.Combine(folder, "samples-2.ndjson"));
        (await _lab.RunAsync("report judged --format markdown")).Out.ShouldContain("| `c001` |", Case.Sensitive, "without the plan nobody knows");
        File.Copy(Path.Combine(_lab.Root, "plan.json"), Path.Combine(folder, "plan.json"));
        var report = (await _lab.RunAsync("report judged --format markdown")).Out;
        report.ShouldMatch(@"\| `behaving.*size 1");
        report.ShouldNotContain("| `c001` |");
        report.ShouldContain("./perf-lab run behaving ");
        await File.WriteAllTextAsync(Path.Combine(folder, "plan.json"), (await _lab.RunAsync(Plan.Replace("--seed 7", "--seed 8", StringComparison.Ordinal) + " --shards 2")).Out);
        (await _lab.RunAsync("report judged --format markdown")).Out.ShouldContain("| `c001` |", Case.Sensitive, "another plan's cells are no names of these");

        var (failed, half, _) = await _lab.RunAsync("compare two/samples.ndjson --plan plan.json");
        failed.ShouldBe(1, "cells of a shard that never came have failed");
        half.ShouldContain("shard 1 of 2 is missing");

        (await _lab.RunAsync("compare two/samples.ndjson")).Out.ShouldContain("this is shard 2 of its plan alone");
        var (wrong, _, said) = await _lab.RunAsync("compare one two");
        (wrong, said.Contains("--plan: is missing", StringComparison.Ordinal)).ShouldBe((2, true), said);
        File.Copy(Path.Combine(_lab.Root, "plan.json"), Path.Combine(_lab.Root, "one/plan.json"));
        (await _lab.RunAsync("compare one two")).Out.ShouldContain("3 regressed", Case.Sensitive, "the plan beside the first is the one of both");

        var (other, _, refused) = await _lab.RunAsync("measure plan.json --shard 1 --out two --executor process");
        other.ShouldBe(1);
        refused.ShouldContain("it holds shard 2, this is shard 1");
    }

    [Theory]
    [InlineData("--shards 0", "0 is not between 1 and 3, the number of cells")]
    [InlineData("--shards 4", "4 is not between 1 and 3, the number of cells")]
    [InlineData("--shards 1ms", "the longest cell alone takes about ")]
    [InlineData("--shards soon", "'soon' is neither a number of machines nor a duration")]
    [InlineData("--shards -1", "-1 is not between 1 and 3")]
    [InlineData("--shards 99999999999", "'99999999999' is neither a number of machines nor")]
    [InlineData("--within 30m", "--within is gone: type --shards 30m")]
    public async Task a_number_of_shards_that_makes_no_sense_is_wrong_use(string option, string why)
    {
        var (code, _, error) = await _lab.RunAsync($"{Plan} {option}");
        code.ShouldBe(2);
        error.ShouldContain(why);
    }

    [Theory]
    [InlineData("--shards 2")]
    [InlineData("--shards 60m")]
    public async Task a_plan_with_minutes_is_not_spread(string option)
    {
        var (_, plan, _) = await _lab.RunAsync("run behaving --set time=1,2,3 --aa --within 30m --dry-run --json");
        await File.WriteAllTextAsync(Path.Combine(_lab.Root, "minutes.json"), plan);
        var (code, _, error) = await _lab.RunAsync($"plan --again minutes.json {option}");
        code.ShouldBe(2);
        error.ShouldContain("can't spread a plan that is measured until it is decided");
    }

    [Theory]
    [InlineData("--shards 2", "--shard 3", "3 is not between 1 and 2, the number of the plan's shards")]
    [InlineData("--shards 2", "--shard 0", "0 is not between 1 and 2, the number of the plan's shards")]
    [InlineData("--shards 1", "--shard 1", "the plan has no shards")]
    [InlineData("--shards 2", "--nodes 2", "--nodes: needs --executor kubernetes")]
    [InlineData("--shards 2", "--nodes 2 --shard 1", "--nodes: goes without --shard")]
    public async Task a_shard_that_the_plan_does_not_have_is_wrong_use(string planned, string measured, string why)
    {
        await PlannedAsync(planned);
        var (code, _, error) = await _lab.RunAsync($"measure plan.json {measured} --executor process");
        code.ShouldBe(2);
        error.ShouldContain(why);
    }

    [Theory]
    [InlineData("--shards 1", "2", "the plan has no shards: make it with `plan --shards N`, at least as many as nodes")]
    [InlineData("--shards 2", "1", "1 is not between 2 and 2, the number of the plan's shards")]
    [InlineData("--shards 2", "3", "3 is not between 2 and 2, the number of the plan's shards")]
    public async Task a_number_of_nodes_that_makes_no_sense_is_wrong_use(string planned, string nodes, string why)
    {
        await PlannedAsync(planned);
        var (code, _, error) = await _lab.RunAsync($"measure plan.json --nodes {nodes} --executor kubernetes");
        code.ShouldBe(2);
        error.ShouldContain(why);
    }

    private async Task PlannedAsync(string shards)
    {
        var (code, plan, error) = await _lab.RunAsync($"{Plan} {shards}");
        code.ShouldBe(0, error);
        await File.WriteAllTextAsync(Path.Combine(_lab.Root, "plan.json"), plan);
        var built = await _lab.RunAsync("build plan.json --executor process --out builds.json");
        built.Code.ShouldBe(0, built.Error);
    }
}
