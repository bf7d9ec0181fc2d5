using System.ComponentModel.DataAnnotations;
using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Results;
using PerfLab.Programs;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// benchmarks.json: which benchmarks an arm of an open plan holds, from `build --list` to `plan --complete`. The code of the arm may have
/// written it: nothing but the names in it is used, and those are cleaned again.
/// </summary>
/// <param name="Plan">Hash of the open plan.</param>
/// <param name="Arm">"base" or "head".</param>
/// <param name="Projects">One for each project whose benchmarks are not listed.</param>
internal sealed record BenchmarksFile(
    [RegularExpression(Build.IdentityForm, ErrorMessage = "sha256: and 64 hexadecimal digits")] string Plan,
    string Arm,
    IReadOnlyList<ListedProject> Projects)
{
    private const string ToDo = "build the open plan again: `./perf-lab build plan.json --arm base --list base.json`";

    public static FileFormat<BenchmarksFile> File { get; } =
        new("perf-lab/benchmarks/1", "benchmarks.json: which benchmarks an arm of an open plan holds") { MostBytes = 32 << 20 };

    /// <summary>The file of that arm, its names cleaned.</summary>
    /// <exception cref="LabException">It is no such file, or of another arm or plan.</exception>
    public static BenchmarksFile Read(string path, string arm, RunPlan open)
    {
        var file = InputFile.Read(File, path, ToDo);
        if (file.Plan != open.Hash || file.Arm != arm)
        {
            throw new LabException($"reading {path}", "it is not the list of this plan's arm", ToDo);
        }

        return file with { Projects = [.. file.Projects.Select(Cleaned)] };
    }

    private static ListedProject Cleaned(ListedProject project)
    {
        var list = BenchmarkList.Cleaned(new(project.Benchmarks, project.Problems));
        return project with { Benchmarks = list.Benchmarks, Problems = list.Problems };
    }
}

/// <param name="Workload">The workload's name in the plan.</param>
/// <param name="Benchmarks">Those that can be measured.</param>
/// <param name="Problems">What could not be listed, one sentence each.</param>
/// <param name="Why">Why there is no list at all; null where there is one.</param>
internal sealed record ListedProject(
    string Workload, IReadOnlyList<ListedBenchmark> Benchmarks, IReadOnlyList<string> Problems, string? Why);
