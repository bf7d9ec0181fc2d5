using PerfLab.Core.Profiles;
using PerfLab.Core.Statistics.Rows;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>`run --explain` with a program that leaves no trace: where the why is said, and that nothing costs the verdict.</summary>
public sealed class ExplainCommandTests : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    private string At(string name) => Path.Combine(_lab.Root, "session", name);

    [Fact]
    public async Task what_moved_is_explained_in_the_same_command_and_said_wherever_people_look()
    {
        var (code, output, error) = await _lab.RunAsync("run behaving --base time=100 --head time=105 --rounds 0+13 --executor process --explain --out session");
        code.ShouldBe(0, error);
        error.ShouldContain("tracing behaving");
        error.ShouldContain("round 2 of 12, about ");
        error.Split('\n').Single(line => line.StartsWith("files: ", StringComparison.Ordinal)).ShouldContain("report.html, rounds-c001-head.svg, explanation.json)");
        // A shell script: no runtime that could be traced. The verdict stays, and the row says why it has no why.
        foreach (var text in new[] { output, await File.ReadAllTextAsync(At("report.md")), await File.ReadAllTextAsync(At("report.html")) })
        {
            text.ShouldMatch(@" is [0-9.]+( %|x) slower");
            text.ShouldContain("nothing can be said: 0 traced rounds are whole, 10 are needed");
        }

        var row = Comparison.File.Read(await File.ReadAllTextAsync(At("comparison.json"))).Value!.Cells.Single(row => row.Primary);
        row.Why!.Doubt.ShouldNotBeNull().ShouldContain("the launch left no trace");
        new Schemas.JsonSchemaFile("comparison").Mistakes(await File.ReadAllTextAsync(At("comparison.json"))).ShouldBeEmpty();
        new Schemas.JsonSchemaFile("plan").Mistakes(await File.ReadAllTextAsync(At("plan.json"))).ShouldBeEmpty();

        // A why that can't be read, or is none of ours, costs the why alone; `compare` reads it beside the journal.
        (await _lab.RunAsync("compare session/samples.ndjson --plan session/plan.json")).Out.ShouldContain("nothing can be said");
        await File.WriteAllTextAsync(At("explanation.json"), "{ \"schema\": \"perf-lab/explanation/9\" }");
        var (compared, broken, _) = await _lab.RunAsync("compare session/samples.ndjson --plan session/plan.json");
        compared.ShouldBe(0);
        broken.ShouldMatch(@" is [0-9.]+( %|x) slower");
        broken.ShouldContain("explanation.json is not used: ");
        broken.ShouldNotContain("nothing can be said");

        // Asked for later, it comes into the files of the session too.
        File.Delete(At("explanation.json"));
        (await _lab.RunAsync("compare session/samples.ndjson --plan session/plan.json")).Out.ShouldNotContain("nothing can be said");
        // Of a cell that was explained before; its own is gone, because there is nothing to show any more.
        await File.WriteAllTextAsync(At("why-c002-head.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\" />");
        var (explained, _, said) = await _lab.RunAsync("explain session --executor process");
        explained.ShouldBe(1);
        said.ShouldContain("files: session/ (explanation.json, why-c002-head.svg; report.html and report.md with it; ");
        Explanation.File.Read(await File.ReadAllTextAsync(At("explanation.json"))).Value!.Plan.ShouldNotBeNull();
        (await File.ReadAllTextAsync(At("report.md"))).ShouldContain("nothing can be said");
    }

    [Fact]
    public async Task nothing_is_launched_again_when_nothing_moved()
    {
        Nightly.Only("10 seconds");
        var (code, output, error) = await _lab.RunAsync("run behaving --base time=100 --head time=100.1 --rounds 0+13 --executor process --explain --out session");
        code.ShouldBe(0, error);
        error.ShouldNotContain("tracing");
        output.ShouldNotContain("Why it moved");
        File.Exists(At("explanation.json")).ShouldBeFalse();
    }

    [Fact]
    public async Task a_plan_that_asks_for_it_is_explained_by_measure_too_as_on_a_pull_request()
    {
        Nightly.Only("10 seconds");
        var (_, plan, _) = await _lab.RunAsync("plan behaving --base time=100 --head time=105 --rounds 0+13 --explain");
        await File.WriteAllTextAsync(Path.Combine(_lab.Root, "plan.json"), plan);
        (await _lab.RunAsync("build plan.json")).Code.ShouldBe(0);

        var (code, _, error) = await _lab.RunAsync("measure plan.json --executor process --out session");

        code.ShouldBe(0, error);
        Explanation.File.Read(await File.ReadAllTextAsync(At("explanation.json"))).Value!.Rows.ShouldHaveSingleItem().Arm.ShouldBe("head");
    }

    [Fact]
    public async Task a_cell_that_is_explained_later_leaves_what_was_said_of_the_others()
    {
        Nightly.Only("20 seconds");
        var (_, _, said) = await _lab.RunAsync(
            "run behaving --set size=1,2,3,4 --base time=100 --head time=105 --rounds 0+13 --executor process --explain --out session");
        said.ShouldContain("explaining the 3 largest of 4 rows that moved; `./perf-lab explain session` explains all");
        Labels().Count.ShouldBe(3);

        await _lab.RunAsync("explain session c001 --executor process");
        await _lab.RunAsync("explain session c004 --executor process");

        Labels().Count.ShouldBe(4);
        Comparison.File.Read(await File.ReadAllTextAsync(At("comparison.json"))).Value!.Cells.Where(row => row.Primary)
            .ShouldAllBe(row => row.Why != null);

        List<string> Labels() =>
            [.. Explanation.File.Read(File.ReadAllText(At("explanation.json"))).Value!.Rows.Select(row => row.Label)];
    }

    [Fact]
    public async Task a_session_that_nobody_wrote_a_report_of_is_judged_by_its_journal_when_it_has_ended()
    {
        Nightly.Only("10 seconds");
        await _lab.RunAsync(LabFixture.MeasuredAs);
        foreach (var report in new[] { "comparison.json", "report.md", "report.html" })
        {
            File.Delete(At(report));
        }

        var (_, output, error) = await _lab.RunAsync("explain session --executor process");
        error.ShouldContain("tracing behaving");
        output.ShouldContain("Why: behaving");
        error.ShouldContain("and the .folded stacks");
        error.ShouldNotContain("report.html");

        var journal = await File.ReadAllLinesAsync(At("samples.ndjson"));
        await File.WriteAllLinesAsync(At("samples.ndjson"), journal[..^2]);
        var (code, _, cut) = await _lab.RunAsync("explain session --executor process");
        code.ShouldBe(1);
        cut.ShouldContain("this session has not ended");
        cut.ShouldContain("run --resume DIR");
    }

    [Fact]
    public async Task a_cell_of_one_arm_can_not_be_explained()
    {
        Nightly.Only("10 seconds");
        await _lab.RunAsync("run behaving --rounds 0+2 --executor process --out session");

        var (code, _, error) = await _lab.RunAsync("explain session c001 --executor process");

        code.ShouldBe(2);
        error.ShouldContain("c001 has one arm, and is compared with nothing");
    }

    [Theory]
    [InlineData("run behaving --explain", "one arm is compared with nothing")]
    [InlineData("run --command true --against false --explain", "takes no --explain")]
    public async Task an_explanation_that_could_not_be_is_refused_before_anything_runs(string arguments, string said)
    {
        var (code, _, error) = await _lab.RunAsync(arguments + " --executor process");
        code.ShouldBe(2);
        error.ShouldContain(said);
    }
}
