namespace PerfLab.Building.Runtimes;

/// <summary>Whether a version of a pack can be had, the worst last.</summary>
public enum PackStatus
{
    /// <summary>Nobody was asked yet.</summary>
    NotAsked,
    Available,

    /// <summary>A package source did not answer, or can't say what it has: a build will tell.</summary>
    Unknown,

    /// <summary>Every package source was asked and none has it.</summary>
    Missing,
}

/// <summary>What is known about a version of a pack on this machine.</summary>
/// <param name="Why">What was missing and where, or who did not answer; null when it is available.</param>
public sealed record PackState(PackStatus Status, string? Why)
{
    public static PackState Available { get; } = new(PackStatus.Available, null);

    public static PackState NotAsked { get; } = new(PackStatus.NotAsked, "no package source was asked yet");
}

/// <summary>What one package source said about a pack.</summary>
/// <param name="Problem">Why it could not say, or null.</param>
internal sealed record SourceAnswer(string Source, IReadOnlyList<string> Versions, string? Problem);

/// <summary>What all package sources said about a pack.</summary>
internal sealed record PackAnswer(DateTimeOffset Asked, IReadOnlyList<SourceAnswer> Sources)
{
    public IEnumerable<string> Versions => Sources.SelectMany(source => source.Versions).Distinct(StringComparer.OrdinalIgnoreCase);

    public PackState StateOf(string id, string version)
    {
        if (Versions.Contains(version, StringComparer.OrdinalIgnoreCase))
        {
            return PackState.Available;
        }

        var silent = Sources.Where(source => source.Problem is not null).ToList();
        return silent.Count > 0
            ? new(PackStatus.Unknown, $"{string.Join(" and ", silent.Select(source => source.Source))} could not be asked for {id}: {silent[0].Problem}")
            : new(PackStatus.Missing, $"{Asker()} {id} {version}");
    }

    private string Asker() => Sources switch
    {
        [] => "no package source is configured that could have",
        [var only] => $"{only.Source} has no",
        _ => $"none of {string.Join(", ", Sources.Select(source => source.Source))} has",
    };
}
