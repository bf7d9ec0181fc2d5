using System.ComponentModel;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Runner.GitHub;

/// <summary>
/// What GitHub's settings have against a first `/benchmark`, by what `gh` is answered. The workflow says its own permissions, which hold
/// also where the token is to read only; so that setting is not asked for.
/// </summary>
/// <param name="repository">OWNER/NAME of the one that is set up.</param>
/// <param name="lab">OWNER/NAME of perf-lab.</param>
/// <param name="gh">Is asked.</param>
internal sealed class GitHubSettings(string repository, string lab, GitHubCli gh)
{
    private const string Place = "Settings, Actions, General";

    /// <summary>ENOENT.</summary>
    private const int NoSuchFile = 2;

    /// <summary>Of all calls together: nobody waits longer for advice.</summary>
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(20);

    /// <summary>A sentence each. Who can't ask is told so, and what to look at.</summary>
    /// <param name="branch">The one that is checked out; null: none.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public async Task<IReadOnlyList<string>> DoubtsAsync(string? branch, CancellationToken cancellationToken)
    {
        using var limited = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limited.CancelAfter(Deadline);
        try
        {
            return [.. await OfTheRepositoryAsync(branch, limited.Token), .. await OfTheLabAsync(limited.Token)];
        }
        catch (CannotAskException why)
        {
            return [NotAsked(why.Message)];
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return [NotAsked($"it did not answer within {Deadline.TotalSeconds} s")];
        }
    }

    private string NotAsked(string why) => $"gh could not be asked about {repository} ({UntrustedText.Line(why)}): {Place} there has to allow actions";

    private async Task<IReadOnlyList<string>> OfTheRepositoryAsync(string? branch, CancellationToken cancellationToken)
    {
        if (await AskAsync(Repository.Format, $"repos/{repository}", cancellationToken) is not { } told)
        {
            return [$"GitHub knows no {repository}, or your account may not see it"];
        }

        var doubts = new List<string>();
        if (told.DefaultBranch is { } main && branch is not null && main != branch)
        {
            doubts.Add($"you are on {UntrustedText.Line(branch)}; GitHub starts what is on {UntrustedText.Line(main)}, the default branch");
        }

        if (told.Archived)
        {
            doubts.Add($"{repository} is archived: nothing runs there");
        }

        if (told.Fork)
        {
            doubts.Add($"{repository} is a fork: a comment is answered in the repository that it stands in");
        }

        // Only who administers the repository is told.
        var actions = await AskAsync(Permissions.Format, $"repos/{repository}/actions/permissions", cancellationToken);
        doubts.AddRange(actions is null ? [$"what {repository} allows to run, your account may not see: {Place} there"]
            : !actions.Enabled ? [$"actions are off in {repository}: {Place} there"]
            : actions.AllowedActions switch
            {
                "local_only" when Owner(repository) != Owner(lab) =>
                    [$"{repository} runs workflows of {Owner(repository)} alone, and {lab} is not: {Place} there"],
                "selected" => [$"{repository} runs only what is on its list, which needs {lab}/* and actions/*: {Place} there"],
                _ => [],
            });
        return doubts;
    }

    private async Task<IReadOnlyList<string>> OfTheLabAsync(CancellationToken cancellationToken)
    {
        if (lab.Equals(repository, StringComparison.OrdinalIgnoreCase))
        {
            return [];
        }

        if (await AskAsync(Repository.Format, $"repos/{lab}", cancellationToken) is not { } told)
        {
            return [$"GitHub knows no {lab}, or your account may not see it: then its workflows may not be used either"];
        }

        return told.Private
            && (await AskAsync(Access.Format, $"repos/{lab}/actions/permissions/access", cancellationToken))?.AccessLevel is "none"
            ? [$"{lab} is private, and lets no other repository use its workflows: {Place}, Access there"] : [];
    }

    /// <summary>Null: not found, or not allowed to see, which GitHub does not tell apart.</summary>
    private async Task<T?> AskAsync<T>(FileFormat<T> format, string path, CancellationToken cancellationToken)
        where T : class
    {
        try
        {
            var (code, output, error) = await gh.AskAsync(["api", path], cancellationToken);
            return code == GitHubCli.NotLoggedIn ? throw new CannotAskException("it is not logged in")
                : code == 0 ? format.Read(output).Value ?? throw new CannotAskException($"it printed no JSON to go by for {path}")
                : error.Contains("(HTTP 404)", StringComparison.Ordinal) || error.Contains("(HTTP 403)", StringComparison.Ordinal) ? null
                : throw new CannotAskException(GitHubCli.LastLine(error));
        }
        catch (Win32Exception missing)
        {
            throw new CannotAskException(missing.NativeErrorCode == NoSuchFile ? "it is not installed" : missing.Message);
        }
    }

    private static string Owner(string name) => name[..name.IndexOf('/', StringComparison.Ordinal)].ToLowerInvariant();

    private static FileFormat<T> Answer<T>(string title)
        where T : class => new("", title) { IsForeign = true, Names = JsonNamingPolicy.SnakeCaseLower };

    private sealed record Repository(string? DefaultBranch = null, bool Archived = false, bool Fork = false, bool Private = false)
    {
        public static FileFormat<Repository> Format { get; } = Answer<Repository>("a repository");
    }

    private sealed record Permissions(bool Enabled = false, string? AllowedActions = null)
    {
        public static FileFormat<Permissions> Format { get; } = Answer<Permissions>("what a repository allows to run");
    }

    private sealed record Access(string? AccessLevel = null)
    {
        public static FileFormat<Access> Format { get; } = Answer<Access>("who may use a repository's workflows");
    }

    private sealed class CannotAskException(string message) : Exception(message);
}
