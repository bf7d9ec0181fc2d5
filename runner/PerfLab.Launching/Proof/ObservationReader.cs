using PerfLab.Core.Evidence;
using PerfLab.Core.Model;
using PerfLab.Launching.Results;
using PerfLab.Profiling;

namespace PerfLab.Launching.Proof;

/// <summary>Collects what is known of a launch: what its program reported, what its runtime left behind, what the executor saw. All of it is hostile.</summary>
internal static class ObservationReader
{
    private const int LargestJitList = 32 << 20;
    private const int LargestRundown = 4 << 20;

    /// <param name="traced">The trace of this launch, or of another one of the same arm, where there was one.</param>
    public static (Observation Seen, IReadOnlyList<string> Problems) Read(JsonObject reported, LaunchEnd end, ProofLaunchFacts? traced)
    {
        var problems = new List<string>();
        var list = File(end, ProofVariables.JitListFile, "the JIT summary", LargestJitList, problems);
        var rundown = File(end, ProofVariables.SettingsFile, "the runtime's rundown", LargestRundown, problems);
        return (new()
        {
            Framework = Text(reported["framework"]),
            Variables = reported["variables"] is JsonObject variables ? Texts(variables) : null,
            GcSettings = GcSettings(reported),
            ServerGc = Value<bool>(reported["gcServer"]),
            Processors = Value<int>(reported["processors"]),
            GcMemoryBytes = Value<long>(reported["gcMemoryBytes"]),
            CompiledMethods = Value<long>((reported["jit"] as JsonObject)?["methods"]),
            GivenProcessors = Text(end.Evidence["cpus"]) is { } cpus && CpuList.TryParse(cpus, out var given) ? given.Count : null,
            Summary = list is null ? null : JitSummary.Parse(list),
            Rundown = rundown is null ? null : Rundown(rundown, problems),
            Trace = traced is { IsThisLaunch: true } ? traced.Trace : null,
            ProofLaunch = traced is { IsThisLaunch: false } ? traced.Trace : null,
        }, problems);
    }

    private static RuntimeTraceFacts? Rundown(byte[] bytes, List<string> problems)
    {
        var (facts, reading) = RuntimeTrace.Read(bytes);
        if (reading.Doubt is { } doubt)
        {
            problems.Add($"the runtime's rundown does not count: {doubt}");
        }

        return reading.Doubt is null ? facts : null;
    }

    private static byte[]? File(LaunchEnd end, string name, string what, int mostBytes, List<string> problems)
    {
        var (bytes, problem) = ResultFile.Read(new LeftFile(Path.Combine(Path.GetDirectoryName(end.ResultFile)!, name), what, mostBytes));
        if (problem is not null)
        {
            problems.Add(problem);
        }

        return bytes;
    }

    // Before .NET 7 the GC does not name its settings, but its latency mode follows from one of them.
    private static Dictionary<string, string> GcSettings(JsonObject reported)
    {
        var settings = reported["gcConfiguration"] is JsonObject named ? Texts(named) : new(StringComparer.Ordinal);
        if (Text(reported["gcLatencyMode"]) is "Interactive" or "Batch")
        {
            settings.TryAdd("ConcurrentGC", Text(reported["gcLatencyMode"]) == "Interactive" ? "True" : "False");
        }

        return settings;
    }

    private static Dictionary<string, string> Texts(JsonObject members) => members
        .Select(member => (member.Key, Value: Text(member.Value))).Where(member => member.Value is not null)
        .ToDictionary(member => member.Key, member => member.Value!, StringComparer.Ordinal);

    private static string? Text(JsonNode? node) => node is JsonValue value && value.TryGetValue<string>(out var text) ? text : null;

    private static T? Value<T>(JsonNode? node)
        where T : struct => node is JsonValue value && value.TryGetValue<T>(out var read) ? read : null;
}
