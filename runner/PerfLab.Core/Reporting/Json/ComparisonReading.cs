using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;

namespace PerfLab.Core.Reporting.Json;

/// <summary>
/// A comparison, or every problem that kept it from being read, each with the member it is about ("cells[3].verdict") or, where the
/// text is no JSON, line and byte. Exactly one of the two says something.
/// </summary>
public sealed record ComparisonReading(Comparison? Comparison, IReadOnlyList<Problem> Problems);
