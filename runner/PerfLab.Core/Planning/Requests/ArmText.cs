using PerfLab.Core.Files;

namespace PerfLab.Core.Planning.Requests;

/// <summary>Reads `dimension=value,dimension=value`, where a word alone is a source, and `DIM=a,b,c`.</summary>
public static class ArmText
{
    private const string Source = "source", Package = "package";

    /// <summary>An ARM: each dimension once, packages as many as there are. A word without = is a value of `source`: "main" is
    /// "source=main".</summary>
    public static ArmRequest Parse(string option, string id, string text, ICollection<Problem> problems)
    {
        var values = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var written in text.Split(',', StringSplitOptions.TrimEntries))
        {
            var part = written.Length > 0 && !written.Contains('=') ? $"{Source}={written}" : written;
            var equals = part.IndexOf('=');
            if (equals <= 0 || equals == part.Length - 1)
            {
                problems.Add(new(option, $"'{part}' is not dimension=value.", "Example: runtime=net8.0,pgo=off"));
            }
            else if (part[..equals] == Package && values.TryGetValue(Package, out var before))
            {
                values[Package] = $"{before}+{part[(equals + 1)..]}";
            }
            else if (!values.TryAdd(part[..equals], part[(equals + 1)..]))
            {
                problems.Add(new(option, $"'{part[..equals]}' is given twice."));
            }
        }

        return new ArmRequest(id, values);
    }

    /// <summary>A list of values for one dimension.</summary>
    public static (string Dimension, IReadOnlyList<string> Values)? ParseList(string option, string text, ICollection<Problem> problems)
    {
        var equals = text.IndexOf('=');
        if (equals <= 0)
        {
            problems.Add(new(option, $"'{text}' is not dimension=value,value.", "Example: pgo=on,off"));
            return null;
        }

        var values = ParseValues($"{option} {text[..equals]}", text[(equals + 1)..], problems);
        return values.Count == 0 ? null : (text[..equals], values);
    }

    /// <summary>A comma list without empty or repeated values.</summary>
    public static IReadOnlyList<string> ParseValues(string option, string text, ICollection<Problem> problems)
    {
        var values = new List<string>();
        foreach (var value in text.Split(',', StringSplitOptions.TrimEntries))
        {
            if (value.Length == 0)
            {
                problems.Add(new(option, "a value is empty."));
            }
            else if (values.Contains(value, StringComparer.Ordinal))
            {
                problems.Add(new(option, $"'{value}' is given twice."));
            }
            else
            {
                values.Add(value);
            }
        }

        return values;
    }
}
