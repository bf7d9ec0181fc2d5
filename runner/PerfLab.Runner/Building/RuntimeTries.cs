using System.Text.Json;

namespace PerfLab.Runner.Building;

/// <summary>What is known about a runtime pack on this machine.</summary>
public enum PackStatus { NotTried, Available, Unavailable }

/// <summary>
/// Remembers which runtime packs could be restored: for ever when they could (a published version never goes away), for a day when they
/// could not (it may appear, or the network was down). A small JSON file, rewritten whole.
/// </summary>
internal sealed class RuntimeTries(string file, TimeProvider clock)
{
    private static readonly TimeSpan NoIsValidFor = TimeSpan.FromDays(1);

    private readonly Lock _lock = new();

    public PackStatus Find(string pack)
    {
        lock (_lock)
        {
            return Read().GetValueOrDefault(pack) switch
            {
                { Found: true } => PackStatus.Available,
                { } no when clock.GetUtcNow() - no.Tried < NoIsValidFor => PackStatus.Unavailable,
                _ => PackStatus.NotTried,
            };
        }
    }

    public void Remember(string pack, bool found)
    {
        lock (_lock)
        {
            var tries = Read();
            tries[pack] = new Try(found, clock.GetUtcNow());
            Directory.CreateDirectory(Path.GetDirectoryName(file)!);
            var unfinished = $"{file}.{Guid.NewGuid():n}";
            File.WriteAllText(unfinished, JsonSerializer.Serialize(tries, JsonSerializerOptions.Web));
            File.Move(unfinished, file, overwrite: true);
        }
    }

    private SortedDictionary<string, Try> Read()
    {
        try
        {
            return File.Exists(file) && JsonSerializer.Deserialize<SortedDictionary<string, Try>>(File.ReadAllText(file), JsonSerializerOptions.Web) is { } tries
                ? tries
                : new(StringComparer.Ordinal);
        }
        catch (JsonException)
        {
            // A memory that can't be read costs one restore a pack.
            return new(StringComparer.Ordinal);
        }
    }

    private sealed record Try(bool Found, DateTimeOffset Tried);
}
