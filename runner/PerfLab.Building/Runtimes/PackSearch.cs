using PerfLab.Core.Files;

namespace PerfLab.Building.Runtimes;

/// <summary>What `dotnet package search --format json` prints, as far as we ask.</summary>
internal sealed record PackSearch(IReadOnlyList<SearchedSource> SearchResult)
{
    public static FileFormat<PackSearch> Format { get; } = new("", "packages that were found") { IsForeign = true };

    public IReadOnlyList<SourceAnswer> Answers =>
    [
        .. SearchResult.Select(source => new SourceAnswer(
            source.SourceName ?? "a package source without a name",
            [.. (source.Packages ?? []).Select(package => package.Version).OfType<string>()],
            source.Problems?.Select(problem => problem.Text).OfType<string>().FirstOrDefault())),
    ];
}

internal sealed record SearchedSource(string? SourceName = null, IReadOnlyList<FoundPackage>? Packages = null, IReadOnlyList<SearchProblem>? Problems = null);

internal sealed record FoundPackage(string? Version = null);

internal sealed record SearchProblem(string? Text = null);
