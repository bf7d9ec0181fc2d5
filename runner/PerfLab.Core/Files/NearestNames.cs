namespace PerfLab.Core.Files;

/// <summary>Turns a wrong name into a useful sentence: the nearest valid names, or all of them when they are few.</summary>
public static class NearestNames
{
    private const int MostNames = 12;

    /// <summary>"did you mean a or b?" when something is near, otherwise "valid: …".</summary>
    public static string Suggest(string wrong, IEnumerable<string> valid)
    {
        var names = valid.ToList();
        if (names.Count == 0)
        {
            return "there is none to choose from.";
        }

        var near = Near(wrong, names);
        if (near.Count > 0)
        {
            return $"Did you mean {string.Join(" or ", near)}?";
        }

        var more = names.Count > MostNames ? $" … ({names.Count} in all)" : "";
        return $"Valid: {string.Join(", ", names.Take(MostNames))}{more}.";
    }

    /// <summary>"1.5.74, 1.5.73 and 488 more": of a long list the first names, as they stand.</summary>
    public static string First(IReadOnlyCollection<string> names) =>
        string.Join(", ", names.Take(MostNames)) + (names.Count > MostNames ? $" and {names.Count - MostNames} more" : "");

    /// <summary>At most three names that a typing error away may have been meant, the nearest first.</summary>
    public static IReadOnlyList<string> Near(string wrong, IEnumerable<string> valid) =>
    [
        .. valid
            .Select(name => (name, distance: Distance(wrong.ToUpperInvariant(), name.ToUpperInvariant())))
            .Where(pair => pair.distance <= Math.Max(1, Math.Max(wrong.Length, pair.name.Length) / 3)
                || pair.name.StartsWith(wrong, StringComparison.OrdinalIgnoreCase))
            .OrderBy(pair => pair.distance).ThenBy(pair => pair.name, StringComparer.Ordinal)
            .Select(pair => pair.name).Take(3),
    ];

    /// <summary>Optimal string alignment distance: a swap of neighbours counts as one typing error.</summary>
    private static int Distance(string a, string b)
    {
        var d = new int[a.Length + 1, b.Length + 1];
        for (var i = 0; i <= a.Length; i++)
        {
            d[i, 0] = i;
        }

        for (var j = 0; j <= b.Length; j++)
        {
            d[0, j] = j;
        }

        for (var i = 1; i <= a.Length; i++)
        {
            for (var j = 1; j <= b.Length; j++)
            {
                var cost = a[i - 1] == b[j - 1] ? 0 : 1;
                d[i, j] = Math.Min(Math.Min(d[i - 1, j] + 1, d[i, j - 1] + 1), d[i - 1, j - 1] + cost);
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                {
                    d[i, j] = Math.Min(d[i, j], d[i - 2, j - 2] + 1);
                }
            }
        }

        return d[a.Length, b.Length];
    }
}
