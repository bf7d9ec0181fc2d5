using PerfLab.Core.Model;

namespace PerfLab.Core.Planning.Requests;

/// <summary>
/// A switch of the runtime as a dimension: everything that is known about it, declared once in <see cref="RuntimeKnobs"/>.
/// </summary>
public sealed record Knob
{
    /// <summary>The dimension: "pgo".</summary>
    public required string Name { get; init; }

    /// <summary>What it does, one sentence without its full stop, for help and lists.</summary>
    public required string Summary { get; init; }

    /// <summary>Every value that sets it, the usual default first. <see cref="RuntimeKnobs.Untouched"/> goes with every knob.</summary>
    public required IReadOnlyList<string> Values { get; init; }

    /// <summary>
    /// The value where nobody asked for one. It follows the runtime and the knobs declared earlier, and never breaks a rule itself: so only
    /// what somebody wrote can be refused.
    /// </summary>
    public required Func<KnobSituation, string> Default { get; init; }

    /// <summary>The runtime's variable, without its prefix, and the number it takes for each value.</summary>
    public required KnobVariable Variable { get; init; }

    /// <summary>What does not go together, checked in this order; the first that is broken is told.</summary>
    public IReadOnlyList<KnobRule> Rules { get; init; } = [];
}

/// <summary>A variable of the runtime.</summary>
/// <param name="Name">Without DOTNET_ or COMPlus_, in the runtime's own case: on Linux another case is another variable.</param>
/// <param name="Numbers">Value of the knob -> number. Hexadecimal, as the runtime reads every number; it ignores words without a sound.</param>
public sealed record KnobVariable(string Name, IReadOnlyDictionary<string, string> Numbers)
{
    /// <summary>
    /// What the variable is set to. Empty for <see cref="RuntimeKnobs.Untouched"/>: the runtime takes an empty variable for one that is not
    /// there, and every arm has the same names.
    /// </summary>
    public string Text(string value) => value == RuntimeKnobs.Untouched ? "" : Numbers[value];
}

/// <summary>Where a knob is to be set: what defaults and rules may look at.</summary>
/// <param name="Runtime">Release of the runtime ("net8.0"), or null when the workload brings its own.</param>
/// <param name="Values">Knobs that were asked for, and those already settled.</param>
public sealed record KnobSituation(string? Runtime, int Cpus, IReadOnlyDictionary<string, string> Values)
{
    /// <summary>True when the runtime is known and older than <paramref name="version"/> (8.0).</summary>
    public bool IsBefore(double version) => Runtime is not null && TargetFrameworks.Number(Runtime) < version;

    public bool Has(string knob, string value) => Values.TryGetValue(knob, out var set) && set == value;
}

/// <summary>Values that make no sense somewhere.</summary>
public sealed record KnobRule
{
    private KnobRule()
    {
    }

    public required IReadOnlyList<string> Values { get; init; }

    /// <summary>True where the values are wrong.</summary>
    public required Func<KnobSituation, bool> IsBroken { get; init; }

    /// <summary>What they clash with, as it is read after "does not go with": "tiering=off".</summary>
    public required Func<KnobSituation, string> Clash { get; init; }

    /// <summary>Why, one sentence.</summary>
    public required string Why { get; init; }

    /// <summary>What to ask for instead.</summary>
    public required string Instead { get; init; }

    /// <summary>The values need a newer runtime.</summary>
    public static KnobRule Since(double version, IReadOnlyList<string> values, string why, string instead) => new()
    {
        Values = values,
        IsBroken = situation => situation.IsBefore(version),
        Clash = situation => $"runtime={situation.Runtime}",
        Why = why,
        Instead = instead,
    };

    /// <summary>The values need another knob to be set otherwise.</summary>
    public static KnobRule NotWith(string knob, string value, IReadOnlyList<string> values, string why, string instead) => new()
    {
        Values = values,
        IsBroken = situation => situation.Has(knob, value),
        Clash = _ => $"{knob}={value}",
        Why = why,
        Instead = instead,
    };

    /// <summary>The values need more than one core.</summary>
    public static KnobRule NotOnOneCpu(IReadOnlyList<string> values, string why, string instead) => new()
    {
        Values = values,
        IsBroken = situation => situation.Cpus < 2,
        Clash = _ => "one CPU",
        Why = why,
        Instead = instead,
    };
}
