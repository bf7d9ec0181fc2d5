using PerfLab.Core.Statistics;

namespace PerfLab.Core.Reporting;

/// <summary>What is wrong with a file: where ("cells[3].verdict", or line and column of broken JSON) and what.</summary>
public sealed record FileProblem(string Where, string What)
{
    public override string ToString() => $"{Where}: {What}";
}

/// <summary>A comparison, or every problem that kept it from being read. Exactly one of the two says something.</summary>
public sealed record ComparisonReading(Comparison? Comparison, IReadOnlyList<FileProblem> Problems);
