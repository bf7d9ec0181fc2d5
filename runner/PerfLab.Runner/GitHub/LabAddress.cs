using System.Text.RegularExpressions;
using PerfLab.Building.Templates;
using PerfLab.Building.Tools;
using PerfLab.Core.Model;

namespace PerfLab.Runner.GitHub;

/// <summary>Which perf-lab on GitHub a repository is to call, and what may stand in the way.</summary>
internal static partial class LabAddress
{
    public const string Origin = "origin";

    /// <summary>As somebody wrote it: "owner/name@commit".</summary>
    public static GitHubTemplate Given(string from) => Whole().Match(from) is { Success: true } match
        ? new(match.Groups["lab"].Value, match.Groups["commit"].Value)
        : throw new WrongUseException([new("--from", $"'{UntrustedText.Line(from)}' is not OWNER/NAME@COMMIT with all 40 digits.",
            "A branch or a tag can be moved to other code.")]);

    /// <summary>The checkout of perf-lab that runs, at its commit.</summary>
    public static GitHubTemplate OfThisCheckout() =>
        Checkout() is { } git && git.Address(Origin) is { } address && NameOf(address) is { } name && git.Commit("HEAD") is { } commit
            ? new(name, commit)
            : throw new WrongUseException(
                [new("--from", "is missing: this perf-lab does not say which repository on GitHub it comes from.",
                    "Give the one with its workflows: --from OWNER/perf-lab@COMMIT, with all 40 digits.")]);

    /// <summary>What a person should look at before the first comment, a sentence each.</summary>
    public static IEnumerable<string> Doubts(Git repository, GitHubTemplate lab)
    {
        if (repository.Address(Origin) is not { } origin)
        {
            yield return "this repository has no remote 'origin'; it has to be on GitHub";
        }
        else if (NameOf(origin) is null)
        {
            yield return $"origin is {UntrustedText.Line(Secret().Replace(origin, "//"))}, which is not on github.com";
        }

        if (repository.Address("upstream") is not null)
        {
            yield return "there is an 'upstream', so origin may be your fork: "
                + "a comment is answered where the workflow is on the default branch";
        }

        if (Checkout() is { } git && git.Commit("HEAD") == lab.Commit && !git.IsOnRemote(lab.Commit))
        {
            yield return $"perf-lab's commit {lab.Commit[..12]} is on none of its remote branches: "
                + "push it, or name one that is with --from";
        }
    }

    private static Git? Checkout() =>
        Environment.GetEnvironmentVariable("PERF_LAB_KIT") is { } kit && Path.GetFullPath(Path.Combine(kit, "..", "..", "..")) is var folder
        && Path.Exists(Path.Combine(folder, ".git")) ? new Git(folder) : null;

    /// <summary>OWNER/NAME of an address on github.com; null for any other.</summary>
    public static string? NameOf(string address) =>
        OnGitHub().Match(address) is { Success: true } match ? match.Groups["name"].Value : null;

    /// <summary>A name and a token that an address of http may hold.</summary>
    [GeneratedRegex("//[^/]*@", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Secret();

    [GeneratedRegex(
        @"^(?<lab>[A-Za-z0-9_-]{1,39}/[A-Za-z0-9._-]{1,100})@(?<commit>[0-9a-f]{40})\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Whole();

    [GeneratedRegex(
        @"^(?:https://(?:[^@/]*@)?|ssh://git@|git@)github\.com[/:](?<name>[A-Za-z0-9_-]{1,39}/[A-Za-z0-9._-]{1,100}?)(?:\.git)?/?\z",
        RegexOptions.CultureInvariant, 1000)]
    private static partial Regex OnGitHub();
}
