using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.History;

namespace PerfLab.Runner.Keeping;

/// <summary>The history of a lab, where perf-lab.yaml says it is.</summary>
internal static class LabHistory
{
    /// <exception cref="LabException">It can't be opened; the message says what to do.</exception>
    public static HistoryStore Open(LabConfig config) => HistoryStore.Open(PlaceOf(config));

    public static HistoryPlace PlaceOf(LabConfig config)
    {
        if (config.History.PostgresFrom is not { } variable)
        {
            return new(config.HistoryFile);
        }

        return Environment.GetEnvironmentVariable(variable) is { Length: > 0 } connection ? new(null, connection) : throw new LabException(
            "opening the history",
                $"perf-lab.yaml says that the environment variable {variable} holds PostgreSQL's connection string, and it is empty",
            $"set {variable}, or take `postgres-from` out: then a file beside perf-lab.yaml holds the history");
    }
}
