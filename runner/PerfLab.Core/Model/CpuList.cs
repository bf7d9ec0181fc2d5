namespace PerfLab.Core.Model;

/// <summary>The kernel's list form of a set of cores: "0-2,5".</summary>
public static class CpuList
{
    /// <summary>More cores than any machine has: a larger number is garbage, and must not cost memory.</summary>
    public const int Most = 8192;

    /// <summary>
    /// Reads a list, sorted and without repeats; false for anything that the kernel would not write. Empty text is an empty list.
    /// </summary>
    public static bool TryParse(string text, out IReadOnlyList<int> cpus)
    {
        var found = new SortedSet<int>();
        cpus = [];
        foreach (var part in text.Trim().Split(',', StringSplitOptions.TrimEntries))
        {
            if (part.Length == 0 && text.Trim().Length == 0)
            {
                break;
            }

            var dash = part.IndexOf('-');
            var first = dash < 0 ? part : part[..dash];
            var last = dash < 0 ? part : part[(dash + 1)..];
            if (!Number(first, out var from) || !Number(last, out var to) || from > to)
            {
                return false;
            }

            found.UnionWith(Enumerable.Range(from, to - from + 1));
        }

        cpus = [.. found];
        return true;
    }

    public static string Format(IReadOnlyList<int> cpus)
    {
        var text = new StringBuilder();
        for (var i = 0; i < cpus.Count; i++)
        {
            var from = i;
            while (i + 1 < cpus.Count && cpus[i + 1] == cpus[i] + 1)
            {
                i++;
            }

            text.Append(text.Length > 0 ? "," : "").Append(cpus[from].ToString(CultureInfo.InvariantCulture));
            if (i > from)
            {
                text.Append('-').Append(cpus[i].ToString(CultureInfo.InvariantCulture));
            }
        }

        return text.ToString();
    }

    private static bool Number(string text, out int value) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value) && value < Most;
}
