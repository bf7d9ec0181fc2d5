using System.Collections.Concurrent;
using PerfLab.Core.Model;

namespace PerfLab.Kubernetes;

/// <summary>What a cluster did not give to launches, each sentence once.</summary>
internal sealed class LaunchWarnings
{
    private readonly ConcurrentDictionary<string, byte> warnings = new(StringComparer.Ordinal);

    public IReadOnlyList<string> All => [.. warnings.Keys.Order(StringComparer.Ordinal)];

    public void Add(string warning) => warnings.TryAdd(warning, 0);

    /// <param name="evidence">Of one pod.</param>
    /// <param name="asked">How many cores it was to have.</param>
    public void Read(JsonObject evidence, int asked)
    {
        var node = evidence["node"]?.ToString() ?? "a node";
        if (CpuList.TryParse(evidence["cpus"]?.ToString() ?? "", out var cpus) && cpus.Count > asked)
        {
            Add($"{node} does not pin pods to cores (cpuManagerPolicy is not static): "
                + $"launches asked for {asked} and could run on {cpus.Count}.");
        }

        if (evidence["throttledSeconds"] is JsonValue value && value.TryGetValue<double>(out var seconds) && seconds > 0)
        {
            Add($"{node} throttled launches by a quota (throttledSeconds in the journal): "
                + "times are those of a program that was stopped again and again.");
        }
    }
}
