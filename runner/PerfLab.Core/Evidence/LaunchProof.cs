using PerfLab.Core.Model;

namespace PerfLab.Core.Evidence;

/// <summary>A launch held against its plan: every setting with the best that is known of it, and what disagrees.</summary>
public sealed record LaunchProof
{
    /// <summary>How <see cref="Indirect"/> names the version of the runtime; no setting is called so.</summary>
    public const string RuntimeVersion = "runtime";

    private const string Prefix = "DOTNET_", OldPrefix = "COMPlus_";

    /// <summary>Settings that something can be said about; the rest of a cell's variables is set, and that is all.</summary>
    private static readonly string[] Provable =
        ["TieredCompilation", "TieredPGO", "ReadyToRun", "TC_QuickJitForLoops", "TC_OnStackReplacement", "gcServer", "gcConcurrent", "GCDynamicAdaptationMode"];

    public required IReadOnlyList<SettingProof> Settings { get; init; }

    /// <summary>What does not agree with the plan, as sentences; empty when the launch ran as planned.</summary>
    public required IReadOnlyList<string> Disagreements { get; init; }

    /// <summary>What only indirect evidence speaks for, and is worth telling: settings, and <see cref="RuntimeVersion"/>.</summary>
    public required IReadOnlyList<string> Indirect { get; init; }

    /// <param name="patch">Of the planned runtime ("10.0.14"); null when the workload brings its own.</param>
    /// <param name="environment">What the launch was given.</param>
    /// <param name="seen">What is known of it.</param>
    /// <param name="limits">What the arm asks for; null where it asks for nothing.</param>
    public static LaunchProof Of(
        string? patch, IEnumerable<KeyValuePair<string, string>> environment, Observation seen, AskedLimits? limits = null)
    {
        var planned = Planned(environment);
        // Numbers that somebody gave the GC: it says what it made of most of them.
        var ofGc = planned.Keys.Where(name => name.StartsWith("GC", StringComparison.Ordinal)).Except(Provable, StringComparer.Ordinal);
        List<SettingProof> settings =
        [
            .. seen.HasNoJit ? [] : Provable.Where(planned.ContainsKey).Concat(ofGc)
                .Select(name => new SettingProof(name, planned[name], Claims.Best(name, planned[name], seen))),
            .. LimitClaims.Of(limits, seen),
        ];
        return new()
        {
            Settings = settings,
            Indirect = [.. UnprovenRuntime(patch, seen), .. settings.Where(IsIndirect).Select(setting => setting.Setting)],
            Disagreements = [.. Runtime(patch, seen), .. settings.Where(setting => setting.Contradicted).Select(setting => Sentence(setting, seen)), .. Cores(seen)],
        };
    }

    /// <summary>For the journal: a member for each setting, what was planned, what it is and who says so.</summary>
    public JsonObject ToJson() => new(Settings.Select(setting => KeyValuePair.Create<string, JsonNode?>(setting.Setting, new JsonObject
    {
        ["planned"] = setting.Planned.Length == 0 ? null : setting.Planned,
        ["is"] = setting.Claim?.Value,
        ["by"] = setting.Claim?.By,
        ["strength"] = setting.Claim is null ? "none" : setting.Direct ? "direct" : "indirect",
    })));

    private static Dictionary<string, string> Planned(IEnumerable<KeyValuePair<string, string>> environment)
    {
        var planned = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var (name, value) in environment)
        {
            var setting = name.StartsWith(Prefix, StringComparison.Ordinal) ? name[Prefix.Length..]
                : name.StartsWith(OldPrefix, StringComparison.Ordinal) ? name[OldPrefix.Length..]
                : null;
            if (setting is not null)
            {
                planned[setting] = value;
            }
        }

        return planned;
    }

    private static bool IsIndirect(SettingProof setting) => setting.Planned.Length > 0 && !setting.Direct && !(setting.Setting == "TC_OnStackReplacement" && setting.Planned == "1");

    // What the program says and what the runtime's own events say must both be the plan. One without the kit may say nothing: then the
    // events stand alone; before .NET 9 there are some of the proof launch only.
    private static IEnumerable<string> Runtime(string? patch, Observation seen)
    {
        if (patch is not null && seen.Framework is { } framework && !framework.EndsWith(" " + patch, StringComparison.Ordinal))
        {
            yield return $"it ran on {framework}, planned was .NET {patch}";
        }
        else if (patch is not null && seen.EventPatch is { } ran && ran != patch)
        {
            var said = seen.Framework is { } claimed ? $", although the program says {claimed}" : "";
            yield return $"it ran on .NET {ran} (the runtime's start event), planned was .NET {patch}{said}";
        }
    }

    private static IEnumerable<string> UnprovenRuntime(string? patch, Observation seen)
    {
        if (patch is not null && seen is { Framework: null, EventPatch: null })
        {
            yield return RuntimeVersion;
        }
    }

    private static string Sentence(SettingProof setting, Observation seen)
    {
        var sentence = $"planned {setting.Setting}={setting.Planned}, runtime reports {setting.Claim!.Value} ({setting.Claim.By})";
        return !setting.Direct ? $"planned {setting.Setting}={setting.Planned}, but {setting.Claim.By}"
            : seen.Variables is null ? sentence
            : seen.Variable(setting.Setting) is not { } text ? $"{sentence}; the process had no such variable"
            : text == setting.Planned ? sentence
            : $"{sentence}; the process had the variable as '{text}'";
    }

    // Cores decide heaps, thread pool and background tiering: fewer or more than given is another experiment.
    private static IEnumerable<string> Cores(Observation seen)
    {
        if (seen is { Processors: { } saw, GivenProcessors: { } given } && saw != given)
        {
            yield return Invariant($"it was given {given} processors, the runtime sees {saw}");
        }
    }
}
