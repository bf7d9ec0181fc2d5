namespace PerfLab.Launching.Docker.Containers;

/// <summary>Which cores a launch gets when nobody said: the last ones, and CPU 0 stays with the lab where there are more than two.</summary>
/// <remarks>Siblings of one physical core are not told apart: on the lab SMT is off or LAB_CPUS in the machine's machine.conf splits the cores.</remarks>
internal static class CpuChoice
{
    /// <param name="online">The kernel's list, "0-3,5".</param>
    /// <param name="wanted">Cores that the workload asks for.</param>
    /// <returns>Kernel list of at most <paramref name="wanted"/> cores; fewer when the machine has fewer to give.</returns>
    public static string From(string online, int wanted)
    {
        var all = Parse(online);
        var candidates = all.Count > 2 ? all.Where(cpu => cpu != 0).ToArray() : all;
        return Format(candidates.TakeLast(Math.Max(1, wanted)).ToArray());
    }

    /// <summary>"0-2,5" as numbers, ascending. What is no list gives an empty one.</summary>
    public static IReadOnlyList<int> Parse(string list)
    {
        var cpus = new SortedSet<int>();
        foreach (var part in list.Trim().Split(',', StringSplitOptions.RemoveEmptyEntries))
        {
            var ends = part.Split('-');
            if (ends.Length > 2
                || !int.TryParse(ends[0], NumberStyles.None, CultureInfo.InvariantCulture, out var first)
                || !int.TryParse(ends[^1], NumberStyles.None, CultureInfo.InvariantCulture, out var last)
                || last < first || last > 65_535)
            {
                return [];
            }

            cpus.UnionWith(Enumerable.Range(first, last - first + 1));
        }

        return [.. cpus];
    }

    private static string Format(IReadOnlyList<int> cpus)
    {
        var parts = new List<string>();
        for (var start = 0; start < cpus.Count;)
        {
            var end = start;
            while (end + 1 < cpus.Count && cpus[end + 1] == cpus[end] + 1)
            {
                end++;
            }

            parts.Add(start == end ? $"{cpus[start]}" : $"{cpus[start]}-{cpus[end]}");
            start = end + 1;
        }

        return string.Join(',', parts);
    }
}
