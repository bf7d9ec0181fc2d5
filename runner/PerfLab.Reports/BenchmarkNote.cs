using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Reports.Text;
using PerfLab.Core.Statistics.Exact;

namespace PerfLab.Reports;

/// <summary>
/// What BenchmarkDotNet itself says of the launches of an arm, and how far they lie apart: it sees the iterations of one process, and a
/// process is faster or slower as a whole.
/// </summary>
/// <param name="Cell">As rows call it. Untrusted.</param>
/// <param name="Launches">Measured ones.</param>
/// <param name="Error">Median of its "Error", half of its 99.9 % interval, as a fraction of the mean; null where it says none.</param>
/// <param name="StdDev">Median of its "StdDev", over the iterations of a launch, as a fraction of the mean.</param>
/// <param name="Outliers">Iterations that it left out, in all launches.</param>
/// <param name="Spread">Robust standard deviation over launches, as a fraction; null with fewer than three.</param>
public sealed record BenchmarkNote(string Cell, string Arm, int Launches, double? Error, double? StdDev, int Outliers, double? Spread)
{
    private const int LeastForSpread = 3;

    /// <summary>One for each arm of a cell that BenchmarkDotNet measured.</summary>
    internal static IEnumerable<BenchmarkNote> Of(Cell cell, string label, IEnumerable<Launch> launches)
    {
        foreach (var arm in cell.Arms)
        {
            var said = launches.Where(launch => launch.Arm == arm.Id && launch.Outcome == Outcome.Measured)
                .Select(launch => (Words: launch.Evidence["benchmarkDotNet"] as JsonObject,
                    Time: launch.Metrics.GetValueOrDefault(BenchmarkCases.Time)))
                .Where(launch => launch.Words is not null && launch.Time > 0).ToList();
            if (said.Count > 0)
            {
                yield return new(
                    label, arm.Id, said.Count, Middle(said.Select(launch => Number(launch.Words!, "error"))),
                        Middle(said.Select(launch => Number(launch.Words!, "stdDev"))),
                    (int)said.Sum(launch => Math.Clamp(Number(launch.Words!, "outliers") ?? 0, 0, 1000)),
                        SpreadOf([.. said.Select(launch => Math.Log(launch.Time))]));
            }
        }
    }

    internal static string Table(IReadOnlyList<BenchmarkNote> notes) => string.Join('\n',
    [
        MarkdownTable.Line(["cell", "arm", "launches", "error in a launch", "StdDev in a launch", "outliers", "spread of launches"]),
        MarkdownTable.Line(["---", "---", "--:", "--:", "--:", "--:", "--:"]),
        .. notes.Select(note => MarkdownTable.Line(
        [
            UntrustedText.Code(note.Cell), UntrustedText.Code(note.Arm), Text(note.Launches),
                MarkdownTable.Together(Percent.Of(note.Error)),
            MarkdownTable.Together(Percent.Of(note.StdDev)), Text(note.Outliers), MarkdownTable.Together(Percent.Of(note.Spread)),
        ])),
    ]);

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static double? Middle(IEnumerable<double?> values) => values.OfType<double>().ToArray() is { Length: > 0 } known
        ? Median.Of(known) : null;

    private static double? SpreadOf(double[] logs) => logs.Length < LeastForSpread ? null
        : Math.Exp(Median.Deviation(logs)) - 1 is var spread && double.IsFinite(spread) ? spread : null;

    // A journal may come from anywhere.
    private static double? Number(JsonObject words, string name) =>
        JsonNumber.Of(words[name]) is >= 0 and var number ? number : null;
}
