using PerfLab.Core.Model;

namespace PerfLab.Reports.Text;

/// <summary>What rows are called: "benchmark" where each is one of BenchmarkDotNet, else "cell".</summary>
internal static class RowWord
{
    public static string Of(IReadOnlyList<Cell> cells) => cells.Count > 0 && cells.All(cell =>
        cell.Parameters.ContainsKey(BenchmarkCases.Parameter) || cell.Reference.Dimensions.ContainsKey(BenchmarkCases.Parameter))
        ? "benchmark" : "cell";
}
