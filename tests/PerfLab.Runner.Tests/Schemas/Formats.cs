using System.Text;
using PerfLab.Core.Files;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Tests.Reporting.Support;

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
    };

    public static TheoryData<string> Names => [.. All.Keys];

    public static IReadOnlyList<string> Problems(string name, string text) => Problems(name, Encoding.UTF8.GetBytes(text));

    public static IReadOnlyList<string> Problems(string name, byte[] utf8, bool withRules = true) =>
        [.. All[name].Format.Problems(utf8, withRules).Select(problem => problem.ToString())];

    private static Func<string> Fixture(string file) => () => Repository.Read("tests/fixtures/formats/" + file);
}
