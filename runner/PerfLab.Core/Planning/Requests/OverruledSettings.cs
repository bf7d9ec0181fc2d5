namespace PerfLab.Core.Planning.Requests;

/// <summary>
/// What a project says of its runtime and no launch does: every launch sets the knobs as variables, and a variable wins over the
/// program's runtimeconfig.json. Whatever else stands there holds.
/// </summary>
public static class OverruledSettings
{
    /// <summary>https://learn.microsoft.com/dotnet/core/runtime-config</summary>
    private static readonly (string Property, string Variable)[] Properties =
    [
        ("System.Runtime.TieredCompilation", "TieredCompilation"),
        ("System.Runtime.TieredPGO", "TieredPGO"),
        ("System.Runtime.TieredCompilation.QuickJit", "TC_QuickJit"),
        ("System.Runtime.TieredCompilation.QuickJitForLoops", "TC_QuickJitForLoops"),
        ("System.GC.Server", "gcServer"),
        ("System.GC.Concurrent", "gcConcurrent"),
        ("System.GC.DynamicAdaptationMode", "GCDynamicAdaptationMode"),
    ];

    /// <summary>One sentence for each setting of which a launch does the opposite.</summary>
    /// <param name="configured">The program's runtimeconfig.json: property -> value.</param>
    /// <param name="environment">Of its launches.</param>
    public static IReadOnlyList<string> Of(
        IReadOnlyDictionary<string, string> configured, IReadOnlyList<KeyValuePair<string, string>> environment)
    {
        var variables = environment.DistinctBy(pair => pair.Key, StringComparer.Ordinal).ToDictionary(StringComparer.Ordinal);
        return
        [
            .. Properties.Select(pair => configured.TryGetValue(pair.Property, out var said) && Number(said) is { } number
                && variables.TryGetValue(KnobSetting.Prefix + pair.Variable, out var set) && set.Length > 0 && set != number
                ? Sentence(pair.Property, said, pair.Variable, number) : null).OfType<string>(),
        ];
    }

    private static string Sentence(string property, string said, string variable, string number) =>
        RuntimeKnobs.All.FirstOrDefault(knob => knob.Variable.Name == variable) is { } knob
            ? $"the project says {property}={said}, and its launches do not: it is a dimension of the matrix. "
                + $"{knob.Name}={knob.Values.First(value => knob.Variable.Numbers[value] == number)} measures what the project says, "
                + $"and so does {knob.Name}={RuntimeKnobs.Untouched}"
            : $"the project says {property}={said}, and its launches do not: the lab sets it, the same in every launch";

    /// <summary>As the variables have it; null for what is no switch.</summary>
    private static string? Number(string said) => said.ToLowerInvariant() switch
    {
        "true" or "1" => "1",
        "false" or "0" => "0",
        _ => null,
    };
}
