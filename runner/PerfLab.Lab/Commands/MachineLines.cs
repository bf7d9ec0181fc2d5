namespace PerfLab.Lab.Commands;

/// <summary>Adds machines to the text of perf-lab.yaml. Everything else stays as people wrote it, comments among it.</summary>
internal static class MachineLines
{
    private const string Key = "machines:";

    /// <param name="text">Of perf-lab.yaml.</param>
    /// <param name="entries">One line each: `name: { … }`.</param>
    /// <returns>Null when `machines` is there, and not as a block of lines.</returns>
    public static string? Add(string text, IReadOnlyList<string> entries)
    {
        var end = text.Contains("\r\n", StringComparison.Ordinal) ? "\r\n" : "\n";
        var lines = text.ReplaceLineEndings("\n").TrimEnd('\n').Split('\n').ToList();
        var key = lines.FindIndex(line => line.StartsWith(Key, StringComparison.Ordinal));
        if (key < 0)
        {
            lines.AddRange(["", Key, .. entries.Select(entry => $"  {entry}")]);
        }
        else if (Content(lines[key][Key.Length..]).Length > 0)
        {
            return null;
        }
        else
        {
            var last = key;
            for (var at = key + 1; at < lines.Count && (lines[at].Length == 0 || lines[at][0] is ' ' or '#'); at++)
            {
                last = Content(lines[at]).Length > 0 ? at : last;
            }

            var first = lines.Skip(key + 1).Take(last - key).FirstOrDefault(line => Content(line).Length > 0) ?? "  ";
            var indent = first[..(first.Length - first.TrimStart(' ').Length)];
            lines.InsertRange(last + 1, entries.Select(entry => indent + entry));
        }

        return string.Join(end, lines) + end;
    }

    /// <summary>Without a comment, when the line is nothing else.</summary>
    private static string Content(string line) => line.TrimStart().StartsWith('#') ? "" : line.Trim();
}
