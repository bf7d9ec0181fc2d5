using System.Text.RegularExpressions;

namespace PerfLab.Core.Trends;

/// <summary>A table with a header: columns of times and of commits, and a series in every column of numbers. Otava reads the same.</summary>
public static partial class CsvSeries
{
    private static readonly string[] TimeNames = ["time", "timestamp", "date"], CommitNames = ["commit", "revision", "sha", "version"];

    private static readonly string[] Gaps = ["", "nan", "null", "na", "n/a"];

    /// <param name="name">Of the file, without its extension.</param>
    /// <param name="text">The file.</param>
    public static ForeignReading Read(string name, string text)
    {
        var lines = text.ReplaceLineEndings("\n").Split('\n');
        if (lines[^1].Length > 0)
        {
            // A number that was cut is a number, too.
            return ForeignReading.Refused("its last line has no end, so the file may be cut; end it with a line break if it is whole");
        }

        if (lines[0].Length == 0)
        {
            return ForeignReading.Refused("has no header");
        }

        var separator = ";\t,".FirstOrDefault(lines[0].Contains, ',');
        var header = Fields(lines[0], separator);
        if (header.GroupBy(column => column, StringComparer.Ordinal).FirstOrDefault(same => same.Count() > 1) is { } twice)
        {
            return ForeignReading.Refused($"two columns are called '{twice.Key}': they would be one series");
        }

        var rows = new List<(int Line, List<string> Fields)>();
        foreach (var (index, line) in lines.Index().Skip(1).Where(line => line.Item.Length > 0))
        {
            var fields = Fields(line, separator);
            if (fields.Count != header.Count)
            {
                return ForeignReading.Refused(
                    Invariant($"line {index + 1} has {fields.Count} fields, and the header {header.Count}: the file is cut or broken"));
            }

            rows.Add((index + 1, fields));
        }

        var (time, commit) = (Column(header, TimeNames), Column(header, CommitNames));
        var times = new DateTimeOffset?[rows.Count];
        foreach (var (at, row) in rows.Index().Where(_ => time >= 0))
        {
            times[at] = Time(row.Fields[time]);
            if (times[at] is null)
            {
                return ForeignReading.Refused(Invariant($"line {row.Line}, column {header[time]}: '{row.Fields[time]}' is no time"));
            }
        }

        var series = new List<ForeignSeries>();
        for (var column = 0; column < header.Count; column++)
        {
            // Without one number it is a branch, a host, a note.
            if (column == time || column == commit || !rows.Exists(row => Number(row.Fields[column]) is not null))
            {
                continue;
            }

            if (rows.Find(row => Number(row.Fields[column]) is null && !IsGap(row.Fields[column])) is { Fields: { } wrong } at)
            {
                return ForeignReading.Refused(Invariant($"line {at.Line}, column {header[column]}: '{wrong[column]}' is no number"));
            }

            series.Add(new()
            {
                Tool = "csv",
                Name = $"{name}, {header[column]}",
                Points = ForeignSeries.InOrder([.. rows.Select((row, index) => new ForeignPoint(
                    times[index], commit < 0 ? null : row.Fields[commit], Number(row.Fields[column])))]),
            });
        }

        return ForeignReading.Of(series);
    }

    /// <summary>Seconds or milliseconds since 1970, or a date with or without a time; without a zone it is UTC.</summary>
    internal static DateTimeOffset? Time(string text)
    {
        if (long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number))
        {
            // Seconds until the year 5138; what is larger are milliseconds, up to the year 9999.
            return number < 100_000_000_000 ? DateTimeOffset.FromUnixTimeSeconds(number)
                : number < 253_402_300_800_000 ? DateTimeOffset.FromUnixTimeMilliseconds(number) : null;
        }

        var iso = DottedDate().Replace(text, "${year}-${month}-${day}");
        return DateTimeOffset.TryParse(iso, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal,
            out var time) ? time : null;
    }

    private static double? Number(string text) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) && double.IsFinite(value) ? value : null;

    private static bool IsGap(string text) => Gaps.Contains(text.ToLowerInvariant(), StringComparer.Ordinal)
        || double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out _);

    private static int Column(List<string> header, string[] names) =>
        header.FindIndex(name => names.Contains(name.ToLowerInvariant(), StringComparer.Ordinal));

    /// <summary>A field in double quotes may hold the separator, and a quote as two.</summary>
    private static List<string> Fields(string line, char separator)
    {
        var (fields, field, isQuoted) = (new List<string>(), new StringBuilder(), false);
        for (var at = 0; at < line.Length; at++)
        {
            if (line[at] == '"' && isQuoted && at + 1 < line.Length && line[at + 1] == '"')
            {
                field.Append(line[at++]);
            }
            else if (line[at] == '"')
            {
                isQuoted = !isQuoted;
            }
            else if (line[at] == separator && !isQuoted)
            {
                fields.Add(field.ToString().Trim());
                field.Clear();
            }
            else
            {
                field.Append(line[at]);
            }
        }

        fields.Add(field.ToString().Trim());
        return fields;
    }

    [GeneratedRegex(@"^(?<year>[0-9]{4})\.(?<month>[0-9]{2})\.(?<day>[0-9]{2})", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex DottedDate();
}
