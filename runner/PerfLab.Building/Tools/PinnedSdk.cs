using System.Text.RegularExpressions;

namespace PerfLab.Building.Tools;

/// <summary>An SDK that a global.json asks for and that is not here.</summary>
/// <param name="Version">As asked for.</param>
/// <param name="File">The global.json.</param>
/// <param name="Here">The SDKs that are here.</param>
internal sealed partial record PinnedSdk(string Version, string File, IReadOnlyList<string> Here)
{
    /// <summary>What `--sdk current` is for.</summary>
    public override string ToString() => $"SDK {Version}, which {File} asks for, is not available here "
        + (Here.Count > 0
            ? $"(there is {string.Join(", ", Here)}). Install it, or build every arm with the newest that is here: --sdk current"
            : "(there is none at all). Install it.");

    /// <summary>From what `dotnet` said; null when it found an SDK, or failed by something else.</summary>
    public static PinnedSdk? NotFound(CliResult run) =>
        run.ExitCode != 0 && Requested().Match(run.Output) is { Success: true } version
            && Asking().Match(run.Output) is { Success: true } file
            ? new(version.Groups["version"].Value, file.Groups["file"].Value,
                [.. Installed().Matches(run.Output).Select(one => one.Groups["version"].Value)])
            : null;

    [GeneratedRegex(@"^Requested SDK version: (?<version>\S+)\s*$", RegexOptions.Multiline, 1000)]
    private static partial Regex Requested();

    [GeneratedRegex(@"^global\.json file: (?<file>[^\r\n]+?)\s*$", RegexOptions.Multiline, 1000)]
    private static partial Regex Asking();

    [GeneratedRegex(@"^(?<version>[0-9]+\.\S+) \[[^\]\r\n]+\]\s*$", RegexOptions.Multiline, 1000)]
    private static partial Regex Installed();
}
