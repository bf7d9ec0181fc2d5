using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Runner.Flow.Benchmarks;

/// <summary>What a project of BenchmarkDotNet holds, as it is here: it is built, and asked in a launch like any other.</summary>
/// <param name="lab">Whose builds.</param>
/// <param name="executor">Launches the project.</param>
internal sealed class BenchmarksHere(Lab lab, string executor)
{
    /// <param name="project">Absolute path.</param>
    /// <param name="cancellationToken">Ends the build.</param>
    public async Task<Workload> ReadAsync(string project, CancellationToken cancellationToken)
    {
        var request = new BenchmarkRequest
        {
            Targets = [project],
            Arms = [new("head", new Dictionary<string, string>(StringComparer.Ordinal))],
            Rounds = (0, 1),
        };
        var found = await new ProjectStep(lab, executor).FindAsync(request, [], cancellationToken);
        return found[project];
    }
}
