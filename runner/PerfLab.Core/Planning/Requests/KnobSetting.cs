namespace PerfLab.Core.Planning.Requests;

/// <summary>A value of a knob that makes no sense where it was asked for.</summary>
/// <param name="Clash">What it does not go with: "tiering=off", "runtime=net6.0", "one CPU".</param>
public sealed record KnobClash(string Knob, string Value, string Clash, string Why, string Instead)
{
    public override string ToString() => $"{Knob}={Value} does not go with {Clash}: {Why}";
}

/// <summary>Every knob of one arm, settled.</summary>
/// <param name="Values">Knob -> value, all knobs, in the order of <see cref="RuntimeKnobs.All"/>.</param>
/// <param name="Clashes">Empty when the arm can run so; at most one for each knob.</param>
public sealed record KnobSetting(IReadOnlyDictionary<string, string> Values, IReadOnlyList<KnobClash> Clashes)
{
    private const double FirstWithDotnetPrefix = 6;

    /// <summary>Of the runtime's variables.</summary>
    internal const string Prefix = "DOTNET_";

    /// <summary>All are set or none, so one tells.</summary>
    private static readonly string OneOfThem = Prefix + RuntimeKnobs.All.Single(knob => knob.Name == RuntimeKnobs.Pgo).Variable.Name;

    /// <summary>Settles the knobs that nobody asked for and holds all against the rules.</summary>
    /// <param name="runtime">Release of the runtime ("net8.0"), or null when the workload brings its own.</param>
    /// <param name="asked">Knob -> value, only what was asked for; other dimensions are left alone.</param>
    public static KnobSetting Settle(string? runtime, int cpus, IReadOnlyDictionary<string, string> asked)
    {
        var known = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var knob in RuntimeKnobs.All)
        {
            if (asked.TryGetValue(knob.Name, out var value))
            {
                known[knob.Name] = value;
            }
        }

        var situation = new KnobSituation(runtime, cpus, known);
        foreach (var knob in RuntimeKnobs.All)
        {
            known.TryAdd(knob.Name, knob.Default(situation));
        }

        var inOrder = RuntimeKnobs.All.ToDictionary(knob => knob.Name, knob => known[knob.Name], StringComparer.Ordinal);
        return new(inOrder, [.. RuntimeKnobs.All.Select(knob => Clash(knob, known[knob.Name], situation)).OfType<KnobClash>()]);
    }

    /// <summary>
    /// The complete environment of the knobs, always the same names in the same order. .NET Core 3.1 reads the prefix COMPlus_ only; later
    /// ones read both and believe DOTNET_ first.
    /// </summary>
    /// <param name="alsoComPlus">Whether any arm of the cell needs the old prefix: names must not differ between arms.</param>
    public static IReadOnlyList<KeyValuePair<string, string>> Environment(IReadOnlyDictionary<string, string> values, bool alsoComPlus)
    {
        var numbers = RuntimeKnobs.All
            .Select(knob => new KeyValuePair<string, string>(knob.Variable.Name, knob.Variable.Text(values[knob.Name])))
            .Concat(RuntimeKnobs.Fixed).ToList();
        return [.. Prefixed(Prefix), .. alsoComPlus ? Prefixed("COMPlus_") : []];

        IEnumerable<KeyValuePair<string, string>> Prefixed(string prefix) =>
            numbers.Select(pair => new KeyValuePair<string, string>(prefix + pair.Key, pair.Value));
    }

    /// <summary>Whether the lab sets the knobs of a launch with this environment.</summary>
    public static bool IsIn(IEnumerable<KeyValuePair<string, string>> environment) => environment.Any(pair => pair.Key == OneOfThem);

    /// <summary>True for runtimes that know COMPlus_ variables only.</summary>
    public static bool NeedsComPlus(string? runtime) => new KnobSituation(runtime, 1, new Dictionary<string, string>(StringComparer.Ordinal)).IsBefore(FirstWithDotnetPrefix);

    private static KnobClash? Clash(Knob knob, string value, KnobSituation situation) =>
        knob.Rules.FirstOrDefault(rule => rule.Values.Contains(value, StringComparer.Ordinal) && rule.IsBroken(situation)) is { } rule
            ? new(knob.Name, value, rule.Clash(situation), rule.Why, rule.Instead)
            : null;
}
