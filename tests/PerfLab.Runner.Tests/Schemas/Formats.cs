using System.Text;
using PerfLab.Core.Files;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Reporting.Curves;
using PerfLab.Core.Reporting.Jit;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Power;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Tests.Schemas;

/// <summary>
/// Every format that one record describes: its schema is generated, and reader and schema are held against each other with mistakes.
/// A new format is a line here, with a text that is valid.
/// </summary>
internal static class Formats
{
    public static IReadOnlyDictionary<string, (FileFormat Format, Func<string> Example)> All { get; } = new Dictionary<string, (FileFormat, Func<string>)>
    {
        ["comparison"] = (Comparison.File, Fixture("comparison.json")),
        ["plan"] = (PlanFile.File, Fixture("plan.json")),
        ["curves"] = (CurvesFile.File, Golden("Reporting/golden/sweep-batches.json")),
        ["jit"] = (JitFile.File, Golden("Evidence/golden/jit.json")),
        ["request"] = (RequestFile.Format, Fixture("request.json")),
        ["builds"] = (BuildsFile.File, Fixture("builds.json")),
        ["lab"] = (LabOutputs.File, Fixture("lab.json")),
    };

    public static TheoryData<string> Names => [.. All.Keys];

    public static IReadOnlyList<string> Problems(string name, string text) => Problems(name, Encoding.UTF8.GetBytes(text));

    public static IReadOnlyList<string> Problems(string name, byte[] utf8, bool withRules = true) =>
        [.. All[name].Format.Problems(utf8, withRules).Select(problem => problem.ToString())];

    private static Func<string> Golden(string file) => () => Repository.Read("tests/PerfLab.Core.Tests/" + file);

    private static Func<string> Fixture(string file) => () => Repository.Read("tests/fixtures/formats/" + file);
}
