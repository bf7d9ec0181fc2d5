using System.Security.Cryptography;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>
/// `verify --attested-by` over a real session. `gh` is played by fixtures/attestation/gh: a signature needs Sigstore and GitHub, and no
/// test ever made one.
/// </summary>
public sealed class VerifyAttestedTests(MeasuredLab measured) : IClassFixture<MeasuredLab>
{
    private const string OfLab = "https://github.com/example/perf-lab/.github/workflows/";
    private const string Signer = OfLab + "benchmark-machine.yml@0123456789abcdef0123456789abcdef01234567";
    private const string Run = "https://github.com/example/library/actions/runs/7/attempts/1";
    private const string Asked = "--attested-by example/library --lab example/perf-lab";

    [Theory]
    [InlineData(Asked)]
    [InlineData("--attested-by Example/Library --lab EXAMPLE/perf-lab")]
    public async Task a_session_that_github_vouches_for_is_attested_and_its_run_is_named(string options)
    {
        var (code, output, error) = await VerifyAsync(options);
        code.ShouldBe(0, output + error);
        output.ShouldContain($"  ok    attested GitHub vouches for plan and journal: signed by {Signer}, in {Run}\n");
        output.ShouldEndWith("verified: nothing contradicts it\n");
    }

    [Theory]
    [InlineData("--attested-by someone/else --lab example/perf-lab", "gh found no attestation of someone/else by a lab of example/perf")]
    [NightlyData("--attested-by someone/else --lab example/perf-lab", "Error: HTTP 404: Not Found")]
    [InlineData("--attested-by example/library", "no matching CertificateIdentity found, last error: expected SAN value to match regex")]
    [NightlyData("--attested-by example/library --lab example/perf", "no matching CertificateIdentity found")]
    [NightlyData("--attested-by example/library --lab exampleXperf/lab", "no matching CertificateIdentity found")]
    public async Task an_attestation_of_another_repository_is_a_flaw(string options, string said)
    {
        Flaw(await VerifyAsync(options), said);
    }

    // One of each that is looked at; the signer of another workflow is above
    [Theory]
    [NightlyData("GH_SIGNER", OfLab + "ci.yml@refs/heads/main", "no matching CertificateIdentity found")]
    [NightlyData("GH_SIGNER", OfLab + "benchmark-machine.yml.yml@refs/heads/main", "no matching CertificateIdentity found")]
    [NightlyData("GH_SIGNER", OfLab + "benchmark-machine.yml@<b>", "the certificate names no run and no workflow of GitHub")]
    [InlineData("GH_TRIGGER", "push", "which 'push' started and no /benchmark comment")]
    [NightlyData("GH_TRIGGER", "workflow_dispatch", "which 'workflow_dispatch' started and no /benchmark comment")]
    [InlineData("GH_RUN", "", "the certificate names no run and no workflow of GitHub")]
    [NightlyData("GH_RUN", "https://example.org/actions/runs/7", "the certificate names no run and no workflow of GitHub")]
    [InlineData("GH_PLAN", "bbbb", "plan.json is not the one that was signed together with the journal, in " + Run)]
    [NightlyData("GH_STATE", "empty", "gh verified an attestation, and told nothing of it")]
    public async Task a_signature_that_is_not_of_this_session_is_a_flaw(string variable, string value, string said)
    {
        Flaw(await VerifyAsync(Asked, (variable, value)), said);
    }

    [Theory]
    [InlineData("logged-out", "gh is not logged in: To get started with GitHub CLI, please run:  gh auth login")]
    [NightlyData("old", "this gh is older than attestations")]
    [NightlyData("chatty", "gh printed no JSON")]
    public async Task who_can_not_ask_is_told_what_to_do(string state, string said)
    {
        Refused(await VerifyAsync(Asked, ("GH_STATE", state)), said);
    }

    [Fact]
    public async Task without_gh_it_says_what_to_install()
    {
        var dotnet = Environment.GetEnvironmentVariable("PATH")!.Split(':').First(folder => File.Exists(Path.Combine(folder, "dotnet")));
        using var bin = new LabFixture();
        File.CreateSymbolicLink(Path.Combine(bin.Root, "dotnet"), Path.Combine(dotnet, "dotnet"));
        Refused(await VerifyAsync(Asked, ("PATH", bin.Root)), "gh can't be started");
    }

    [Theory]
    [InlineData("--attested-by library", "--attested-by: 'library' is not OWNER/NAME of a repository on GitHub")]
    [InlineData("--attested-by .x/library", "is not OWNER/NAME")]
    [InlineData("--attested-by example/library --lab https://github.com/x/lab", "--lab: 'https://github.com/x/lab' is not OWNER/NAME")]
    [InlineData("--lab example/lab", "--lab: says whose workflows signed, and nothing was asked. Give --attested-by, too.")]
    public async Task a_name_that_is_none_is_refused(string options, string said)
    {
        var (code, _, error) = await measured.Lab.RunAsync($"verify session {options}");
        code.ShouldBe(2, error);
        error.ShouldContain(said);
    }

    private static void Flaw((int Code, string Output, string Error) said, string flaw)
    {
        said.Code.ShouldBe(1, said.Output + said.Error);
        var lines = said.Output.Split('\n').Where(line => line.StartsWith("  FLAW  attested ", StringComparison.Ordinal));
        lines.ShouldContain(line => line.Contains(flaw, StringComparison.Ordinal), said.Output);
    }

    private static void Refused((int Code, string Output, string Error) said, string why)
    {
        said.Code.ShouldBe(1, said.Output + said.Error);
        said.Error.ShouldContain(why);
        said.Error.ShouldContain("https://cli.github.com");
        said.Output.ShouldNotContain("verified");
    }

    private async Task<(int Code, string Output, string Error)> VerifyAsync(string options, params (string Name, string Value)[] changed)
    {
        var gh = Path.Combine(Repository.Root, "tests/PerfLab.Runner.Tests/fixtures/attestation");
        (string Name, string Value)[] usual = [("PATH", $"{gh}:{Environment.GetEnvironmentVariable("PATH")}"), ("GH_STATE", ""),
            ("GH_JOURNAL", Digest("samples.ndjson")), ("GH_PLAN", Digest("plan.json")), ("GH_SIGNER", Signer), ("GH_RUN", Run),
            ("GH_TRIGGER", "issue_comment")];
        using var process = measured.Lab.Start($"verify session {options}", [.. usual, .. changed]);
        process.StandardInput.Close();
        var error = process.StandardError.ReadToEndAsync();
        var output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return (process.ExitCode, output, await error);
    }

    private string Digest(string file) =>
        Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(Path.Combine(measured.Lab.Root, "session", file))));
}
