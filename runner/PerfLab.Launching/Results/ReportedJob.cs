using System.Text.RegularExpressions;

namespace PerfLab.Launching.Results;

/// <summary>The job of a reported benchmark. Only its display text says it: "Parsing.Numbers: Fast(LaunchCount=20) [count=10]".</summary>
public static partial class ReportedJob
{
    /// <summary>"Fast", or what a job that nobody named sets: "Runtime=.NET 8.0"; empty when there is no job in the text.</summary>
    public static string NameOf(ReportedBenchmark benchmark) => Parts(benchmark) is var (id, settings)
        ? MadeUp().IsMatch(id) && settings.Length > 0 ? settings : id : "";

    /// <summary>The same with all that it sets, for jobs of one name.</summary>
    public static string WholeOf(ReportedBenchmark benchmark) => Parts(benchmark) is var (id, settings)
        ? settings.Length > 0 ? $"{id}({settings})" : id : "";

    private static (string Id, string Settings)? Parts(ReportedBenchmark benchmark)
    {
        var text = benchmark.DisplayInfo ?? "";
        var start = text.IndexOf(": ", StringComparison.Ordinal);
        if (start < 0 || text.Length > 4 * Core.Model.BenchmarkCases.LongestName)
        {
            return null;
        }

        var job = text[(start + 2)..];
        job = job.EndsWith(']') && job.LastIndexOf(" [", StringComparison.Ordinal) is >= 0 and var parameters ? job[..parameters] : job;
        var bracket = job.IndexOf('(');
        return bracket > 0 && job.EndsWith(')') ? (job[..bracket], job[(bracket + 1)..^1]) : (job, "");
    }

    /// <summary>BenchmarkDotNet's own names of jobs without one.</summary>
    [GeneratedRegex(@"^Job-[A-Z0-9]+\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex MadeUp();
}
