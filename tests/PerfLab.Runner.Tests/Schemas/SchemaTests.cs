using Newtonsoft.Json.Linq;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Reports.Curves;
using PerfLab.Reports;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Runner.Tests.Schemas;

/// <summary>The examples that docs/internals/formats.md points at are valid, real output is valid, and each seeded mistake is found.</summary>
public sealed class SchemaTests
{
    private const string Examples = "tests/fixtures/formats/";

    public static TheoryData<string, string> Files => new()
    {
        { "workload", "workload.yaml" },
        { "config", "perf-lab.yaml" },
        { "result", "result.json" },
        { "comparison", "comparison.json" },
        { "request", "request.json" },
        { "lab", "lab.json" },
        { "plan", "plan.json" },
        { "builds", "builds.json" },
        { "trend", "trend.json" },
        { "history-line", "history-line.json" },
    };

    [Theory]
    [MemberData(nameof(Files))]
    public void the_example_is_valid(string schema, string file) => new JsonSchemaFile(schema).Mistakes(Example(file)).ShouldBeEmpty();

    [Fact]
    public void the_page_shows_the_example()
    {
        var page = Repository.Read("docs/internals/formats.md").Split("```yaml\n")[1].Split("```")[0];

        JToken.DeepEquals(YamlAsJson.Parse(page), Example("workload.yaml")).ShouldBeTrue();
    }

    [Fact]
    public void every_line_of_the_example_journal_is_valid()
    {
        var schema = new JsonSchemaFile("samples");

        Lines().ShouldAllBe(line => schema.Mistakes(line).Count == 0);
    }

    [Fact]
    public void the_example_journal_is_one_that_the_reader_takes()
    {
        var contents = JournalReader.Read(System.Text.Encoding.UTF8.GetBytes(Repository.Read(Examples + "samples.ndjson")));

        contents.Damage.ShouldBeNull();
        contents.Samples!.Launches.Count.ShouldBe(1);
    }

    [Fact]
    public void the_example_journal_is_written_as_it_is_read() =>
        string.Concat(Lines().Select((line, seq) => Text(JournalLine.Of(seq, JournalLine.File.Read(line).Value!))))
            .ShouldBe(Repository.Read(Examples + "samples.ndjson"));

    [Fact]
    public void the_example_comparison_is_one_that_the_reader_takes() =>
        Comparison.File.Read(Repository.Read(Examples + "comparison.json")).Problems.ShouldBeEmpty();

    [Fact]
    public void every_manifest_of_the_repository_is_valid()
    {
        var schema = new JsonSchemaFile("workload");
        var manifests = Directory.GetFiles(Path.Combine(Repository.Root, "workloads"), "workload.yaml", SearchOption.AllDirectories);

        manifests.ShouldNotBeEmpty();
        manifests.Where(path => schema.Mistakes(YamlAsJson.Parse(File.ReadAllText(path))).Count > 0).ShouldBeEmpty();
        new JsonSchemaFile("config").Mistakes(YamlAsJson.Parse(Repository.Read("perf-lab.yaml"))).ShouldBeEmpty();
    }

    [Fact]
    public void what_the_runner_writes_is_valid()
    {
        var comparison = new JsonSchemaFile("comparison");
        comparison.Mistakes(Comparison.File.Write(SampleReports.EveryVerdict().Comparison)).ShouldBeEmpty();
        comparison.Mistakes(Comparison.File.Write(SampleReports.OneArm().Comparison)).ShouldBeEmpty();
        comparison.Mistakes(Comparison.File.Write(SampleReports.NoCells())).ShouldBeEmpty();
        comparison.Mistakes(Comparison.File.Write(SampleReports.TwoHundred().Comparison)).ShouldBeEmpty();

        foreach (var samplesOf in new[] { SampleSweeps.Batches(), SampleSweeps.Knobs(), SampleSweeps.OneArm(), SampleSweeps.Hostile() })
        {
            var (swept, context) = SampleSweeps.Report(samplesOf);
            comparison.Mistakes(Comparison.File.Write(swept)).ShouldBeEmpty();
            new JsonSchemaFile("curves").Mistakes(CurvesFile.Write(swept.Session, Report.From(swept, context).Curves)).ShouldBeEmpty();
        }

        var plan = new RunPlan { Hash = "", Seed = 7, IsAa = false, Policy = new Policy(), Cells = [], Screen = [new PlannedRound("c001", 0, ["head", "base"])], Confirm = [], Estimate = new PlanEstimate(1, 2, 3, 4) };
        new JsonSchemaFile("plan").Mistakes(PlanFile.File.Write(new(plan with { Hash = PlanFile.Hash(plan) }))).ShouldBeEmpty();

        var samples = new JsonSchemaFile("samples");
        samples.Mistakes(Text(JournalLine.Of(1, SampleReports.Failed("c001", 0, "tail")))).ShouldBeEmpty();
        samples.Mistakes(Text(JournalLine.Of(2, new SharedEvidence("e1", new() { ["pgo"] = "on" })))).ShouldBeEmpty();
        samples.Mistakes(Text(JournalLine.Of(3, new SessionResumed("boot", DateTimeOffset.UnixEpoch)))).ShouldBeEmpty();
        samples.Mistakes(Text(JournalLine.Of(4, new SessionEnd("complete")))).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("workload", "workload.yaml", "schema", "perf-lab/workload/2")]
    [InlineData("workload", "workload.yaml", "name", "Json Round Trip")]
    [InlineData("workload", "workload.yaml", "metrics.throughput.better", "faster")]
    [InlineData("workload", "workload.yaml", "metrics.throughput.gate", true)]
    [InlineData("workload", "workload.yaml", "launch.warm-up", 2)]
    [InlineData("workload", "workload.yaml", "launch.warmup", "2s")]
    [InlineData("workload", "workload.yaml", "resources.memory", "2GB")]
    [InlineData("workload", "workload.yaml", "resources.network", "host")]
    [InlineData("workload", "workload.yaml", "build.kind", "make")]
    [InlineData("workload", "workload.yaml", "command", "./run")]
    [InlineData("config", "perf-lab.yaml", "policy.keep-p", 2)]
    [InlineData("config", "perf-lab.yaml", "policy.alpha", 0.05)]
    [InlineData("config", "perf-lab.yaml", "machines.ryzen.kind", "aws")]
    [InlineData("config", "perf-lab.yaml", "suites.pr.workload", "x")]
    [InlineData("result", "result.json", "measuredSeconds", -1)]
    [InlineData("result", "result.json", "metrics.throughput.value", "51234,5")]
    [InlineData("result", "result.json", "metrics.throughput.sd", 1)]
    [InlineData("result", "result.json", "extra", 1)]
    [InlineData("comparison", "comparison.json", "summary.regressed", 1.5)]
    [InlineData("comparison", "comparison.json", "summary.too-noisy", 0)]
    [InlineData("comparison", "comparison.json", "cells[0].verdict", "slower")]
    [InlineData("comparison", "comparison.json", "cells[0].change", "+2.8 %")]
    [InlineData("comparison", "comparison.json", "cells[0].adjustedP", 1.1)]
    [InlineData("comparison", "comparison.json", "cells[0].equal", "yes")]
    [InlineData("comparison", "comparison.json", "cells[0].p", 0.1)]
    [InlineData("comparison", "comparison.json", "falseFlags", 0)]
    [InlineData("request", "request.json", "head", "main")]
    [InlineData("request", "request.json", "pullRequest", 0)]
    [InlineData("request", "request.json", "words.rounds", "-1+3")]
    [InlineData("request", "request.json", "words.arguments", "--x")]
    [InlineData("lab", "lab.json", "machines[0].id", "/subscriptions/x")]
    [InlineData("lab", "lab.json", "machines[1].hostKey", "")]
    [InlineData("lab", "lab.json", "identities.power.clientId", "lab-power")]
    [InlineData("lab", "lab.json", "metalPrivateKey", "x")]
    public void a_seeded_mistake_is_found(string schema, string file, string place, object wrong)
    {
        var document = Example(file);
        var dot = place.LastIndexOf('.');
        var owner = (JObject)(dot < 0 ? document : document.SelectToken(place[..dot])!);
        owner[place[(dot + 1)..]] = JToken.FromObject(wrong);

        new JsonSchemaFile(schema).Mistakes(document).ShouldNotBeEmpty();
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void every_missing_schema_word_is_found(string schema, string file)
    {
        var document = (JObject)Example(file);
        document.Remove("schema");

        new JsonSchemaFile(schema).Mistakes(document).ShouldNotBeEmpty();
    }

    [Theory]
    [InlineData(0, "seed", null)]
    [InlineData(0, "schema", "perf-lab/samples/2")]
    [InlineData(3, "outcome", "ok")]
    [InlineData(3, "stage", "final")]
    [InlineData(3, "crc", "E3069283")]
    [InlineData(3, "started", "today")]
    [InlineData(3, "attempt", 4)]
    [InlineData(3, "wallSeconds", null)]
    [InlineData(4, "kind", "strike")]
    [InlineData(4, "why", "x")]
    [InlineData(7, "outcome", null)]
    public void a_seeded_mistake_in_a_journal_line_is_found(int line, string member, object? wrong)
    {
        var record = (JObject)JsonSchemaFile.Parse(Lines()[line]);
        if (wrong is null)
        {
            record.Remove(member).ShouldBeTrue();
        }
        else
        {
            record[member] = JToken.FromObject(wrong);
        }

        new JsonSchemaFile("samples").Mistakes(record).ShouldNotBeEmpty();
    }

    private static string[] Lines() => Repository.Read(Examples + "samples.ndjson").Split('\n', StringSplitOptions.RemoveEmptyEntries);

    private static string Text(byte[] line) => System.Text.Encoding.UTF8.GetString(line);

    private static JToken Example(string file)
    {
        var text = Repository.Read(Examples + file);
        return file.EndsWith(".yaml", StringComparison.Ordinal) ? YamlAsJson.Parse(text) : JsonSchemaFile.Parse(text);
    }
}
