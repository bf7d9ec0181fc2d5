namespace PerfLab.Machine.Hygiene;

/// <summary>One self-test: three kinds of work.</summary>
public sealed record SelfTestFigures(SelfTestResult Arithmetic, SelfTestResult Memory, SelfTestResult SystemCalls)
{
    /// <summary>Further from this machine's own history is another machine than it was.</summary>
    public const double MostDrift = 0.02;

    /// <summary>The kinds under their names in the journal.</summary>
    public IReadOnlyList<(string Name, SelfTestResult Result)> Parts => [("arithmetic", Arithmetic), ("memory", Memory), ("systemCalls", SystemCalls)];

    /// <summary>Medians by name, in seconds.</summary>
    public IReadOnlyDictionary<string, double> Medians => Parts.ToDictionary(part => part.Name, part => part.Result.MedianSeconds, StringComparer.Ordinal);

    /// <summary>For the journal and doctor.</summary>
    public JsonObject ToJson(IReadOnlyDictionary<string, double>? usual = null, int runs = 0)
    {
        var json = new JsonObject { ["repeats"] = Arithmetic.Seconds.Count, ["earlierRuns"] = runs };
        foreach (var (name, result) in Parts)
        {
            json[name] = new JsonObject
            {
                ["seconds"] = result.MedianSeconds,
                ["spread"] = result.Spread,
                ["worst"] = result.Worst,
                ["drift"] = Drift(name, usual),
            };
        }

        return json;
    }

    /// <summary>The kinds of work that took more than 2 % longer or shorter than usual, in words; null when none did.</summary>
    public string? Off(IReadOnlyDictionary<string, double> usual)
    {
        var off = Parts.Where(part => Math.Abs(Drift(part.Name, usual) ?? 0) > MostDrift)
            .Select(part => Invariant($"{part.Name} {Drift(part.Name, usual) * 100:+0.0;-0.0} %")).ToList();
        return off.Count == 0 ? null : $"the self-test was off its usual time: {string.Join(", ", off)}";
    }

    private double? Drift(string name, IReadOnlyDictionary<string, double>? usual) =>
        usual?.GetValueOrDefault(name) is > 0 and var seconds ? (Medians[name] / seconds) - 1 : null;
}
