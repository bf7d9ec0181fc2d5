using System.Globalization;
using static System.FormattableString;

namespace PerfLab.Calibration.Published;

/// <summary>One published series, and the places where somebody says that it changes, against what each way finds.</summary>
public static class SeriesFile
{
    private const string FirstLine = "# changes ";

    /// <summary>A table, or what is wrong with the file.</summary>
    /// <param name="path">"# changes 15 71", then a value a line: places are counted from 0, each the first point after a change.</param>
    /// <param name="seed">Of the permutations.</param>
    public static (IReadOnlyList<string> Lines, string? Problem) Rows(string path, ulong seed)
    {
        if (!File.Exists(path))
        {
            return ([], $"{path}: there is no such file or folder.");
        }

        var (known, values, problem) = Read(File.ReadAllLines(path));
        if (problem is not null)
        {
            return ([], $"{path}: {problem} A series begins with \"# changes 15 71\" and has a value above 0 on each line after that; "
                + "series with labels of several people are a folder.");
        }

        List<string> lines = ["| series | way | changes found at | of them known | known ones found |", "|---|---|---|---|---|"];
        foreach (var way in Ways.All(seed))
        {
            var found = way.Find(values);
            var right = found.Count(place => known.Exists(one => Math.Abs(one - place) <= LabelScore.Margin));
            var met = known.Count(one => found.Any(place => Math.Abs(one - place) <= LabelScore.Margin));
            lines.Add(
                Invariant($"| {Path.GetFileNameWithoutExtension(path)}, {values.Length} points | {way.Name} | {string.Join(", ", found)} ")
                + Invariant($"| {right} of {found.Count} | {met} of {known.Count} |"));
        }

        return (lines, null);
    }

    /// <summary>Values in log units: a change is a factor.</summary>
    private static (List<int> Known, double[] Values, string? Problem) Read(string[] lines)
    {
        if (lines.Length == 0 || !lines[0].StartsWith(FirstLine, StringComparison.Ordinal))
        {
            return ([], [], "line 1 does not name the known changes.");
        }

        var (known, values) = (new List<int>(), new List<double>());
        foreach (var word in lines[0][FirstLine.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            if (!int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out var place))
            {
                return ([], [], $"line 1: \"{word}\" is not a place.");
            }

            known.Add(place);
        }

        foreach (var (index, line) in lines.Index().Skip(1).Where(line => line.Item.Length > 0))
        {
            if (!double.TryParse(line, CultureInfo.InvariantCulture, out var value) || !(value > 0) || double.IsInfinity(value))
            {
                return ([], [], Invariant($"line {index + 1}: \"{line}\" is not a value above 0."));
            }

            values.Add(Math.Log(value));
        }

        return (known, [.. values], values.Count == 0 ? "there is no value." : null);
    }
}
