using PerfLab.Building.Tools;

namespace PerfLab.Building.Runtimes;

/// <summary>Remembers what package sources said about packs: a small JSON file, rewritten whole.</summary>
internal sealed class PackMemory(string file)
{
    private readonly Lock _lock = new();
    private SortedDictionary<string, PackAnswer>? _answers;

    public PackAnswer? Find(string pack)
    {
        lock (_lock)
        {
            return (_answers ??= Read()).GetValueOrDefault(pack);
        }
    }

    public void Remember(string pack, PackAnswer answer)
    {
        lock (_lock)
        {
            var answers = Read();
            answers[pack] = answer;
            WholeFile.Write(file, JsonSerializer.Serialize(answers, JsonSerializerOptions.Web));
            _answers = answers;
        }
    }

    private SortedDictionary<string, PackAnswer> Read()
    {
        try
        {
            return File.Exists(file) && JsonSerializer.Deserialize<SortedDictionary<string, PackAnswer>>(File.ReadAllText(file), JsonSerializerOptions.Web) is { } answers
                && answers.Values.All(answer => answer is { Sources: not null } && answer.Sources.All(source => source is { Source: not null, Versions: not null }))
                ? answers
                : new(StringComparer.Ordinal);
        }
        catch (JsonException)
        {
            // A memory that can't be read costs one question a pack.
            return new(StringComparer.Ordinal);
        }
    }
}
