using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Processes;

/// <summary>
/// What the kernel and the processor counted while one launch ran, as far as the machine grants it: facts beside the values, never a
/// verdict.
/// Belongs to the thread that starts the launch.
/// </summary>
internal sealed class LaunchCounters : IDisposable
{
    private readonly List<(Counter Counter, int Descriptor)> _open;

    private LaunchCounters(List<(Counter Counter, int Descriptor)> open) => _open = open;

    /// <summary>For what the calling thread starts from now on.</summary>
    /// <param name="counters">Null: all that there are.</param>
    public static LaunchCounters Open(IReadOnlyList<Counter>? counters = null) => new(
        [.. (counters ?? Counter.All).Select(counter => (counter, counter.Open())).Where(opened => opened.Item2 >= 0)]);

    /// <summary>What this machine grants, and what it does not: {"granted": "taskClockSeconds …", "refused": "cycles …"}.</summary>
    public static JsonObject Describe()
    {
        using var opened = Open();
        var granted = opened._open.Select(one => one.Counter.Name).ToHashSet(StringComparer.Ordinal);
        return new JsonObject
        {
            ["granted"] = Names(name => granted.Contains(name)),
            ["refused"] = Names(name => !granted.Contains(name)),
        };

        static string Names(Func<string, bool> which) => string.Join(' ', Counter.All.Select(counter => counter.Name).Where(which));
    }

    /// <summary>Adds what was counted, once the launch and all that it started are gone; nothing where nothing is granted.</summary>
    public void ReadInto(JsonObject evidence)
    {
        var counters = new JsonObject();
        foreach (var (counter, descriptor) in _open)
        {
            if (counter.Read(descriptor) is { } value)
            {
                counters[counter.Name] = value;
            }
        }

        if (counters.Count > 0)
        {
            evidence["counters"] = counters;
        }
    }

    public void Dispose() => _open.ForEach(one => Libc.Close(one.Descriptor));
}
