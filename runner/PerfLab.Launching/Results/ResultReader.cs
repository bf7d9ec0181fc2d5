namespace PerfLab.Launching.Results;

/// <summary>
/// Reads result.json as hostile input: what a workload wrote is believed only when it has exactly the agreed shape and could be true.
/// </summary>
internal static class ResultReader
{
    // A megabyte of unknown fields must not become a megabyte of sentences in the journal.
    private const int MostProblems = 10;

    /// <summary>Never throws for anything that may lie at <paramref name="path"/>, and never waits.</summary>
    public static ResultReading Read(string path, ExpectedResult expected)
    {
        var (bytes, problem) = ResultFile.Read(path);
        if (bytes is null)
        {
            return new(null, [problem ?? "no result: the program ended without writing the file that PERF_LAB_RESULT names"], Absent: problem is null);
        }

        var (result, faults) = WorkloadResult.File.Read(bytes);
        List<string> problems = [.. result is null ? faults.Select(fault => fault.ToString()) : expected.Problems(result)];
        return problems.Count == 0 ? new(result, [])
            : new(null, problems.Count <= MostProblems ? problems : [.. problems.Take(MostProblems), "and more"]);
    }
}
