using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Building;

/// <summary>
/// How a published program wants its runtime: cultures, AppContext switches, limits of the GC. The runtime reads the file of the program
/// that is started, and for benchmarks that is the lab's driver: it takes over what their project says.
/// </summary>
internal static class RuntimeConfig
{
    private const string Options = "runtimeOptions", Properties = "configProperties";

    /// <summary>The driver's runtimeconfig.json and app.config become those of the project with the benchmarks.</summary>
    /// <param name="folder">Where both were published to.</param>
    /// <param name="benchmarks">The assembly with the benchmarks.</param>
    public static void TakeOver(string folder, string benchmarks)
    {
        var driver = Path.GetFileName(BenchmarkCases.Program);
        var (theirs, ours) = (FileOf(folder, benchmarks), FileOf(folder, driver));
        if (File.Exists(theirs) && File.Exists(ours))
        {
            var config = JsonNode.Parse(File.ReadAllText(ours))!.AsObject();
            var options = Member(config, Options);
            var properties = Member(options, Properties);
            foreach (var (name, value) in Member(Member(JsonNode.Parse(File.ReadAllText(theirs))!.AsObject(), Options), Properties))
            {
                properties[name] = value?.DeepClone();
            }

            File.WriteAllText(ours, config.ToJsonString(new() { WriteIndented = true }));
        }

        var appConfig = Path.Combine(folder, benchmarks + ".dll.config");
        if (File.Exists(appConfig))
        {
            File.Copy(appConfig, Path.Combine(folder, driver + ".dll.config"), overwrite: true);
        }
    }

    /// <summary>What the program of these bits says of its runtime, property -> value as text; empty where it says nothing.</summary>
    /// <param name="folder">The bits; they may come from a machine that ran strangers' code.</param>
    /// <param name="command">Of the arm: "./program".</param>
    public static IReadOnlyDictionary<string, string> Of(string folder, IReadOnlyList<string> command)
    {
        var file = new FileInfo(FileOf(folder, Path.GetFileName(command[0])));
        var read = file is { Exists: true, LinkTarget: null } && file.Length <= ConfigFile.Format.MostBytes
            ? ConfigFile.Format.Read(File.ReadAllBytes(file.FullName)).Value : null;
        return (read?.RuntimeOptions.ConfigProperties ?? new Dictionary<string, JsonElement>(StringComparer.Ordinal))
            .ToDictionary(pair => pair.Key, pair => Text(pair.Value), StringComparer.Ordinal);
    }

    private static string Text(JsonElement value) => value.ValueKind == JsonValueKind.String ? value.GetString()! : value.GetRawText();

    private static string FileOf(string folder, string program) => Path.Combine(folder, program + ".runtimeconfig.json");

    private static JsonObject Member(JsonObject parent, string name)
    {
        if (parent[name] is not JsonObject found)
        {
            parent[name] = found = [];
        }

        return found;
    }

    /// <summary>https://github.com/dotnet/sdk/blob/main/documentation/specs/runtime-configuration-file.md</summary>
    private sealed record ConfigFile(RuntimeOptions RuntimeOptions)
    {
        public static FileFormat<ConfigFile> Format { get; } = new("", "a .runtimeconfig.json") { IsForeign = true, MostBytes = 1 << 20 };
    }

    private sealed record RuntimeOptions(IReadOnlyDictionary<string, JsonElement>? ConfigProperties = null);
}
