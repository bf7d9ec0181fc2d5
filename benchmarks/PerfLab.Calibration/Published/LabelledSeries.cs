using System.Text.Json;
using System.Text.Json.Serialization;
using static System.FormattableString;

namespace PerfLab.Calibration.Published;

/// <summary>A series, and where each of several people says that it changes.</summary>
/// <param name="Name">Of its file.</param>
/// <param name="Values">As published.</param>
/// <param name="People">For each person the first points after a change, counted from 0; empty where a person saw none.</param>
public sealed record LabelledSeries(string Name, double[] Values, IReadOnlyList<IReadOnlyList<int>> People)
{
    private static readonly JsonSerializerOptions Options = new() { RespectNullableAnnotations = true };

    /// <summary>
    /// Every series of a folder in the form of the Turing Change Point Dataset: "annotations.json" names the series and the people, and
    /// each series is a NAME.json anywhere below.
    /// </summary>
    /// <returns>The series, those that can't be used with the reason, or what is wrong with the folder.</returns>
    public static (IReadOnlyList<LabelledSeries> Series, IReadOnlyList<string> LeftOut, string? Problem) Of(string folder)
    {
        var (labels, problem) = Json<Dictionary<string, Dictionary<string, List<int>?>?>>(Path.Combine(folder, "annotations.json"));
        if (labels is null)
        {
            return ([], [], problem);
        }

        var files = Directory.EnumerateFiles(folder, "*.json", SearchOption.AllDirectories)
            .ToLookup(Path.GetFileNameWithoutExtension, StringComparer.Ordinal);
        var (series, leftOut) = (new List<LabelledSeries>(), new List<string>());
        foreach (var (name, people) in labels.OrderBy(one => one.Key, StringComparer.Ordinal))
        {
            if (files[name].Count() != 1)
            {
                leftOut.Add(files[name].Any() ? $"{name} (two files of that name)" : $"{name} (no {name}.json)");
                continue;
            }

            var (file, wrong) = Json<SeriesForm>(files[name].Single());
            if (file is null)
            {
                return ([], [], wrong);
            }

            List<double?>[] variables = [.. file.Variables.Select(variable => variable?.Values ?? [])];
            List<List<int>> each = [.. people?.Values.OfType<List<int>>() ?? []];
            if (Unusable(variables, each) is { } reason)
            {
                leftOut.Add($"{name} ({reason})");
                continue;
            }

            series.Add(new(name, [.. variables[0].OfType<double>()], each));
        }

        var none = $"{folder}: no series of annotations.json can be used: {string.Join(", ", leftOut)}.";
        return (series, leftOut, series.Count > 0 ? null : none);
    }

    /// <summary>What a JSON file says, or what is wrong with it.</summary>
    public static (T? Value, string? Problem) Json<T>(string path)
        where T : class
    {
        try
        {
            using var file = File.OpenRead(path);
            var value = JsonSerializer.Deserialize<T>(file, Options);
            return (value, value is null ? $"{path}: it says null." : null);
        }
        catch (Exception error) when (error is JsonException or IOException or UnauthorizedAccessException)
        {
            return (null, $"{path}: {error.Message}");
        }
    }

    private static string? Unusable(List<double?>[] variables, List<List<int>> people)
    {
        if (variables.Length != 1)
        {
            return Invariant($"{variables.Length} variables");
        }

        var values = variables[0];
        int[] beyond = [.. people.SelectMany(labels => labels).Where(label => label < 0 || label >= values.Count)];
        return values.Contains(null) ? "missing values"
            : people.Count == 0 ? "nobody labelled it"
            : beyond.Length > 0 ? Invariant($"a label at {beyond[0]}, {values.Count} points")
            : null;
    }

    private sealed record SeriesForm([property: JsonPropertyName("series"), JsonRequired] List<Variable?> Variables);

    private sealed record Variable([property: JsonPropertyName("raw"), JsonRequired] List<double?> Values);
}
