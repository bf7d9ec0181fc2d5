using System.Text;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Journal;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Profiles;
using PerfLab.Reports.Curves;
using PerfLab.Reports.Why;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Tests.Files;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Core.Trends;
using PerfLab.Launching.Results;
using PerfLab.Lab.Power;
using PerfLab.Runner.Commits;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Tests.Schemas;

/// <summary>
/// Every format that one record describes: its schema is generated, and reader and schema are held against each other with mistakes.
/// A new format is a line here, with a text that is valid.
/// </summary>
internal static class Formats
{
    /// <param name="Example">A text that is valid.</param>
    public sealed record Known(FileFormat Format, Func<string> Example);

    public static IReadOnlyDictionary<string, Known> All { get; } = new Dictionary<string, Known>
    {
        ["comparison"] = new(Comparison.File, Fixture("comparison.json")),
        ["plan"] = new(PlanFile.File, Fixture("plan.json")),
        ["curves"] = new(CurvesFile.File, Golden("Reporting/golden/sweep-batches.json")),
        ["jit"] = new(JitFile.File, Golden("Evidence/golden/jit.json")),
        ["request"] = new(RequestFile.Format, Fixture("request.json")),
        ["result"] = new(WorkloadResult.File, Fixture("result.json")),
        ["samples session"] = new(JournalLine.File, Line("session")),
        ["samples launch"] = new(JournalLine.File, Line("launch")),
        ["samples difference"] = new(JournalLine.File, Line("difference")),
        ["samples touch"] = new(JournalLine.File, Line("touch")),
        ["samples void"] = new(JournalLine.File, Line("void")),
        ["samples evidence"] = new(JournalLine.File, Line("evidence")),
        ["samples resumed"] = new(JournalLine.File, Line("resumed")),
        ["samples end"] = new(JournalLine.File, Line("end")),
        ["builds"] = new(BuildsFile.File, Fixture("builds.json")),
        ["benchmarks"] = new(BenchmarksFile.File, Fixture("benchmarks.json")),
        ["backfill"] = new(BackfillFile.File, Fixture("backfill.json")),
        ["bisect"] = new(BisectFile.File, Fixture("bisect.json")),
        ["explanation"] = new(Explanation.File, Fixture("explanation.json")),
        ["trend"] = new(TrendState.File, Fixture("trend.json")),
        ["accepted"] = new(AcceptedChanges.File, Fixture("accepted.json")),
        ["foreign-series"] = new(ForeignSeries.File, Fixture("foreign-series.json")),
        ["history-line"] = new(HistoryLine.File, Fixture("history-line.json")),
        ["lab"] = new(LabOutputs.File, Fixture("lab.json")),
        ["workload"] = new(WorkloadManifest.Format, Yaml("workload.yaml")),
        ["config"] = new(LabConfig.Format, Yaml("perf-lab.yaml")),
    };

    /// <summary>
    /// For the laws: a record with a member of every kind beside them. The schema library knows no number as large as the example's.
    /// </summary>
    public static IReadOnlyDictionary<string, Known> WithGarden { get; } = new Dictionary<string, Known>(All)
    {
        ["garden"] = new(Garden.File, () => Garden.Text.Replace(ulong.MaxValue.ToString(), "7")),
    };

    public static TheoryData<string> NamesWithGarden => [.. WithGarden.Keys];

    public static TheoryData<string> Names => [.. All.Keys];

    public static IReadOnlyList<string> Problems(string name, string text) => Problems(name, Encoding.UTF8.GetBytes(text));

    public static IReadOnlyList<string> Problems(string name, byte[] utf8, bool withRules = true) =>
        [.. WithGarden[name].Format.Problems(utf8, withRules).Select(problem => problem.ToString())];

    /// <summary>"samples launch" is an example of the format "samples".</summary>
    public static string SchemaOf(string name) => name.Split(' ')[0];

    private static Func<string> Line(string kind) => () =>
        Fixture("samples.ndjson")().Split('\n').Single(line => line.StartsWith($"{{\"kind\":\"{kind}\"", StringComparison.Ordinal));

    private static Func<string> Golden(string file) => () => Repository.Read("tests/PerfLab.Core.Tests/" + file);

    private static Func<string> Yaml(string file) => () => YamlAsJson.Parse(Fixture(file)()).ToString();

    private static Func<string> Fixture(string file) => () => Repository.Read("tests/fixtures/formats/" + file);
}
