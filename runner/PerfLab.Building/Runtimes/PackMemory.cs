using PerfLab.Building.Tools;
using PerfLab.Core.Files;

namespace PerfLab.Building.Runtimes;

/// <summary>Remembers what package sources said about packs: a small JSON file, rewritten whole.</summary>
internal sealed class PackMemory(string file)
{
    private static readonly FileFormat<SortedDictionary<string, PackAnswer>> Format = new("", "what package sources said") { IsForeign = true, IsLine = true };

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
            WholeFile.Write(file, Format.Write(answers));
            _answers = answers;
        }
    }

    // A memory that can't be read costs one question a pack.
    private SortedDictionary<string, PackAnswer> Read() =>
        new((File.Exists(file) ? Format.Read(File.ReadAllBytes(file)).Value : null) ?? [], StringComparer.Ordinal);
}
