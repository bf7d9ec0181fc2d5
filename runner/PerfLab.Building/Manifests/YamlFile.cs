using PerfLab.Core.Files;
using YamlDotNet.Core;
using YamlDotNet.RepresentationModel;

namespace PerfLab.Building.Manifests;

/// <summary>One YAML file and what is wrong with it.</summary>
internal sealed class YamlFile(string path, ICollection<Problem> problems)
{
    private const int MostBytes = 256 * 1024;

    public void Add(Mark at, string field, string what) =>
        problems.Add(new($"{path}, line {at.Line}", field.Length == 0 ? what : $"{field} {what}"));

    /// <summary>The top mapping, or null with a problem added. The schema word is checked here.</summary>
    public YamlMap? Read(string schema)
    {
        try
        {
            if (new FileInfo(path).Length > MostBytes)
            {
                problems.Add(new(path, $"is larger than {MostBytes / 1024} KiB."));
                return null;
            }

            using var reader = new StreamReader(path);
            var stream = new YamlStream();
            stream.Load(reader);
            if (stream.Documents is not [{ RootNode: YamlMappingNode root }])
            {
                problems.Add(new(path, "must hold one YAML mapping."));
                return null;
            }

            var map = new YamlMap(this, "", root);
            if (map.Text("schema") is var found && found != schema)
            {
                map.Problem("schema", $"is '{found}', this version reads '{schema}'.");
            }

            return map;
        }
        catch (YamlException exception)
        {
            Add(exception.Start, "", exception.InnerException?.Message ?? exception.Message);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            problems.Add(new(path, $"can't be read: {exception.Message}"));
        }

        return null;
    }
}
