using System.ComponentModel;
using System.Security.Cryptography;
using System.Text.RegularExpressions;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Runner.GitHub;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Afterwards;

/// <summary>
/// Whether GitHub vouches for a session's plan and journal. Signature, digest and repository are for `gh attestation verify`, GitHub's own
/// program. What it can't know is looked at here: that a `/benchmark` comment started the signer, and that the plan was signed with it.
/// </summary>
/// <param name="repository">Whose pull request was measured, OWNER/NAME.</param>
/// <param name="lab">Whose workflows measured, OWNER/NAME; mostly the same.</param>
internal sealed partial class Attestation(string repository, string lab)
{
    private const string What = "attested";

    /// <summary>A comment starts the default branch's workflow; other events may run a file that somebody pushed a minute ago.</summary>
    private const string Trigger = "issue_comment";

    public static void Require(string option, string? name)
    {
        if (name is not null && !Name().IsMatch(name))
        {
            throw new WrongUseException([new(option, $"'{UntrustedText.Line(name)}' is not OWNER/NAME of a repository on GitHub.")]);
        }
    }

    public async Task<SessionCheck> CheckAsync(string folder, CancellationToken cancellationToken)
    {
        var journal = Path.Combine(folder, SessionFolder.Journal);
        var (code, output, error) = await AskAsync(journal, cancellationToken);
        if (code != 0)
        {
            var asked = $"attestation of {repository} by a lab of {lab}";
            return new(What, "", [$"{SessionFolder.Journal}: gh found no {asked}: {GitHubCli.LastLine(error)}"]);
        }

        var plan = Path.Combine(folder, SessionFolder.PlanFile);
        var digest = File.Exists(plan) ? Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(plan))) : null;
        var flaws = new List<string>();
        foreach (var signed in Read(output))
        {
            var flaw = Flaw(signed, digest);
            if (flaw is null)
            {
                return new(What, $"GitHub vouches for plan and journal: signed by {signed.Signer}, in {signed.Run}", []);
            }

            flaws.Add(flaw);
        }

        return new(What, "", flaws.Count > 0 ? flaws : ["gh verified an attestation, and told nothing of it"]);
    }

    private static string? Flaw(Signed signed, string? plan) =>
        !Address().IsMatch(signed.Run) || !Address().IsMatch(signed.Signer) ? "the certificate names no run and no workflow of GitHub"
        : signed.Trigger != Trigger ? $"it was signed in {signed.Run}, which '{signed.Trigger}' started and no /benchmark comment"
        : plan is null ? $"there is no {SessionFolder.PlanFile}, which was signed together with the journal"
        : !signed.Digests.Contains(plan, StringComparer.Ordinal)
            ? $"{SessionFolder.PlanFile} is not the one that was signed together with the journal, in {signed.Run}"
        : null;

    private async Task<(int Code, string Output, string Error)> AskAsync(string file, CancellationToken cancellationToken)
    {
        // The name that a certificate gives its signer: https://github.com/OWNER/NAME/.github/workflows/FILE@REF.
        var signer = $@"(?i)^https://github\.com/{Regex.Escape(lab)}/\.github/workflows/benchmark-(machine|fleet)\.yml@";
        string[] words = ["attestation", "verify", file, "--repo", repository, "--cert-identity-regex", signer, "--format", "json"];
        try
        {
            var said = await new GitHubCli().AskAsync(words, cancellationToken);
            return said.Code == GitHubCli.NotLoggedIn ? throw CanNotAsk($"gh is not logged in: {GitHubCli.LastLine(said.Error)}")
                : said.Error.Contains("unknown command", StringComparison.Ordinal) ? throw CanNotAsk("this gh is older than attestations")
                : said;
        }
        catch (Win32Exception missing)
        {
            throw CanNotAsk($"gh can't be started: {missing.Message}");
        }
    }

    private static LabException CanNotAsk(string cameBack) => new("asking GitHub for the attestation", cameBack,
        "install GitHub's command line, version 2.49 or newer (https://cli.github.com), and log in with `gh auth login`");

    private static IEnumerable<Signed> Read(string json)
    {
        var reading = Verified.Format.Read(json);
        return reading.Value is not { } all ? throw CanNotAsk($"gh printed no JSON to go by: {reading.Problems[0]}")
            : all.Select(one => Of(one.VerificationResult?.Signature?.Certificate, one.VerificationResult?.Statement?.Subject ?? []));
    }

    private static Signed Of(Certificate? certificate, IReadOnlyList<Subject> subjects) => new(
        certificate?.RunInvocationURI ?? "", certificate?.BuildSignerURI ?? "", certificate?.BuildTrigger ?? "",
        [.. subjects.Select(subject => subject.Digest?.GetValueOrDefault("sha256") ?? "")]);

    [GeneratedRegex(@"^[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Name();

    [GeneratedRegex(@"^https://github\.com/[A-Za-z0-9._/@-]{1,300}\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Address();

    /// <param name="Run">Address of the run.</param>
    /// <param name="Signer">Address of the workflow file that signed, with its ref.</param>
    /// <param name="Trigger">The event that started the run.</param>
    /// <param name="Digests">SHA-256 of everything that the signature is for, in hex.</param>
    private sealed record Signed(string Run, string Signer, string Trigger, IReadOnlyList<string> Digests);

    /// <summary>What `--format json` prints of one: pkg/cmd/attestation/verification and sigstore-go's VerificationResult.</summary>
    private sealed record Verified(Result? VerificationResult = null)
    {
        public static FileFormat<IReadOnlyList<Verified>> Format { get; } = new("", "what gh verified") { IsForeign = true };
    }

    private sealed record Result(Signature? Signature = null, Statement? Statement = null);

    private sealed record Signature(Certificate? Certificate = null);

    private sealed record Certificate(string? RunInvocationURI = null, string? BuildSignerURI = null, string? BuildTrigger = null);

    private sealed record Statement(IReadOnlyList<Subject>? Subject = null);

    private sealed record Subject(IReadOnlyDictionary<string, string>? Digest = null);
}
