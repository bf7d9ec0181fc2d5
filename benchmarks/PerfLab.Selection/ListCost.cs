using PerfLab.Building.Changes;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Launching;
using PerfLab.Launching.Processes;
using PerfLab.Launching.Proof;
using static System.FormattableString;

namespace PerfLab.Selection;

/// <summary>The launch that lists what a benchmark runs, beside the same launch without anything that only the list needs.</summary>
internal static class ListCost
{
    /// <summary>A row of a Markdown table: medians over all cells of the plan and all rounds, order within a pair drawn.</summary>
    /// <param name="path">Of plan.json; the last arm of each cell is launched.</param>
    public static async Task<string> RowAsync(string path, int rounds, ulong seed)
    {
        var (plan, builds) = Built.Read(path);
        // In a sandbox only a memory cgroup knows the processor time, and not every machine has one.
        await using var launcher = ProcessLauncher.Create(new() { Sandbox = false });
        await launcher.PrepareAsync([.. builds.Builds], CancellationToken.None);
        var lists = new ListLaunches(new LaunchSpecs("selection-lists", builds, null), launcher, new TouchStore(null));
        var random = SeededRandom.For(seed, "lists");
        var (with, without) = (new List<(double Wall, double Cpu)>(), new List<(double Wall, double Cpu)>());
        var (bytes, runtime) = (new List<double>(), plan.Cells[0].Dimensions[WorkloadDimensions.Runtime]);
        for (var round = -1; round < rounds; round++)
        {
            foreach (var cell in plan.Cells)
            {
                var arm = cell.Arms[^1];
                var content = BuildContent.Read(builds[cell.Id, arm.Id].Build!.Folder).Content
                    ?? throw new InvalidDataException($"{cell.Id}: the build can't be read");
                var first = random.Next(2);
                foreach (var place in new[] { first, 1 - first })
                {
                    var listed = lists.SpecOf(cell, arm, content, LaunchEnvironment.NewNonce());
                    var (times, size) = await LaunchAsync(launcher, place == 0 ? listed : Bare(listed));
                    if (round >= 0) // the first warms the page cache
                    {
                        (place == 0 ? with : without).Add(times);
                        bytes.AddRange(place == 0 ? [size] : Array.Empty<double>());
                    }
                }
            }
        }

        var wall = with.Zip(without, (one, other) => one.Wall / other.Wall).ToList();
        var cpu = with.Zip(without, (one, other) => one.Cpu / other.Cpu).ToList();
        return Invariant($"| {runtime} | {with.Count} | {Middle([.. without.Select(one => one.Wall)]):0.00} | ")
            + Invariant($"{Middle([.. with.Select(one => one.Wall)]):0.00} | {Middle(wall):0.00} | ")
            + Invariant($"{Middle([.. without.Select(one => one.Cpu)]):0.00} | {Middle([.. with.Select(one => one.Cpu)]):0.00} | ")
            + Invariant($"{Middle(cpu):0.00} | {Middle(bytes) / 1024:0} |");
    }

    /// <summary>Without a list, a trace, and what makes either complete.</summary>
    private static LaunchSpec Bare(LaunchSpec listed) => listed with
    {
        Environment = [.. listed.Environment.Where(pair => !IsOfList(pair.Key))],
        OutFiles = [.. listed.OutFiles.Where(file => !IsOfList(file.Key))],
    };

    private static bool IsOfList(string variable) =>
        variable.StartsWith("DOTNET_Jit", StringComparison.Ordinal) || variable is "DOTNET_ReadyToRunExcludeList"
        || variable.Contains("EventPipe", StringComparison.Ordinal);

    /// <summary>Seconds, and the bytes of list and trace that it left.</summary>
    private static async Task<((double Wall, double Cpu) Times, double Bytes)> LaunchAsync(ILauncher launcher, LaunchSpec spec)
    {
        var end = await launcher.LaunchAsync(spec, CancellationToken.None);
        if (end is not { How: EndKind.Exited, ExitCode: 0 })
        {
            throw new InvalidOperationException($"the launch ended with {end.How} {end.ExitCode}: {end.Reason} {end.Tail}");
        }

        var left = new DirectoryInfo(Path.GetDirectoryName(end.ResultFile)!).EnumerateFiles()
            .Where(file => file.Name == "jit.txt" || file.Name.StartsWith("trace-", StringComparison.Ordinal)).Sum(file => file.Length);
        return ((end.WallSeconds, end.Evidence["cpuSeconds"]?.GetValue<double>() ?? double.NaN), left);
    }

    private static double Middle(List<double> values) => values.Order().ElementAt(values.Count / 2);
}
