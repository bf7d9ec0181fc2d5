using YamlDotNet.Serialization;

namespace PerfLab.Workload.Tests;

/// <summary>What the tests need of a workload.yaml, read on their own, so that a mistake in the product's reader can't hide one in the file.</summary>
public sealed class Manifest
{
    private Manifest(string folder, Dictionary<object, object> root)
    {
        Folder = folder;
        Root = root;
    }

    public string Folder { get; }
    public Dictionary<object, object> Root { get; }
    public string Name => (string)Root["name"];
    public string? Project => (string?)Map("build").GetValueOrDefault("project");
    public IReadOnlyList<string> Command => [.. ((List<object>)Root["command"]).Cast<string>()];
    public IReadOnlyList<string> Runtimes => [.. ((List<object>)Map("build")["runtimes"]).Cast<string>()];

    /// <summary>Unit by metric of a mode.</summary>
    public IReadOnlyDictionary<string, string> Units(string mode) => Map("modes").GetValueOrDefault(mode) is Dictionary<object, object> named
        ? ((List<object>)named["metrics"]).Cast<string>().ToDictionary(metric => metric, metric => AllUnits[metric], StringComparer.Ordinal)
        : AllUnits;

    /// <summary>Whether a metric is declared exact, and so may be 0.</summary>
    public bool IsExact(string metric) => ((Dictionary<object, object>)Map("metrics")[metric]).GetValueOrDefault("kind") is "exact";

    private Dictionary<string, string> AllUnits => Map("metrics").ToDictionary(metric => (string)metric.Key, metric => (string)((Dictionary<object, object>)metric.Value)["unit"], StringComparer.Ordinal);

    public static Manifest Of(string workload) => In(Path.Combine(Lab.Root, "workloads", workload));

    public static Manifest In(string folder)
    {
        var root = new DeserializerBuilder().Build().Deserialize<Dictionary<object, object>>(File.ReadAllText(Path.Combine(folder, "workload.yaml")));
        return new Manifest(folder, root);
    }

    public Dictionary<object, object> Map(string name) => Root.TryGetValue(name, out var map) ? (Dictionary<object, object>)map : [];
}
