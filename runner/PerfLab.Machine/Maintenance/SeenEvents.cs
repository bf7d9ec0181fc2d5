namespace PerfLab.Machine.Maintenance;

/// <summary>Announced maintenance as last seen, and everything that was seen since somebody asked; for several threads.</summary>
public sealed class SeenEvents
{
    private readonly Lock _lock = new();
    private readonly SortedSet<string> _seen = new(StringComparer.Ordinal);
    private IReadOnlyList<string>? _now;

    /// <summary>What is announced or under way now; null while nobody can say.</summary>
    public IReadOnlyList<string>? Now
    {
        get
        {
            lock (_lock)
            {
                return _now;
            }
        }
    }

    /// <summary>A new answer; null when there was none.</summary>
    public void Saw(IReadOnlyList<string>? now)
    {
        lock (_lock)
        {
            _now = now;
            _seen.UnionWith(now ?? []);
        }
    }

    /// <summary>What was announced or under way at any time since the last call.</summary>
    public IReadOnlyList<string> TakeSeen()
    {
        lock (_lock)
        {
            IReadOnlyList<string> seen = [.. _seen];
            _seen.Clear();
            _seen.UnionWith(_now ?? []);
            return seen;
        }
    }
}
