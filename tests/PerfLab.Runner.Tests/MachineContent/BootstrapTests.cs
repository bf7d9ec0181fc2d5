using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace PerfLab.Runner.Tests.MachineContent;

/// <summary>`infra/bootstrap` with stand-ins for `az` and `gh` that remember what was made, and refuse data to whoever has no role on it.</summary>
[System.Runtime.Versioning.SupportedOSPlatform("linux")]
public sealed class BootstrapTests : IDisposable
{
    private static readonly string[] All = ["--location", "westeurope", "--repository", "octo-org/octo-repo", "--app", "123456", "--installation", "7890123", "--email", "owner@example.org"];
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");

    public BootstrapTests()
    {
        Shell.Need("jq", "jq");
        Shell.Need("ssh-keygen", "openssh-client");
        Tool("gh", """
            case "$*" in
              'auth status') exit "${GH_AUTH:-0}" ;;
              'api repos/octo-org/octo-repo') printf '{"id":7654321,"name":"octo-repo","private":%s,"default_branch":"trunk","permissions":{"admin":%s},"owner":{"login":"octo-org","id":1234567}}' "${GH_PRIVATE:-false}" "${GH_ADMIN:-true}" ;;
              'api user') echo '{"login":"octocat","id":583231,"plan":{"name":"pro"}}' ;;
              'api orgs/octo-org '*) echo "${GH_PLAN:-free}" ;;
              *) echo "gh: what is $*" >&2; exit 9 ;;
            esac
            """);
        Tool("npm", """[[ $* == 'ci --prefix infra --ignore-scripts '* && -e infra/package-lock.json ]] || exit 9; echo "npm $*" >>"$STATE/calls" """);
        // The stack's key can't be used before its role works, nor a stack be made twice.
        Tool("pulumi", """
            cd "$STATE"; echo "pulumi $*" >>calls
            case "$*" in
              'login azblob://state?storage_account=perflab'*) [[ -e container ]] ;;
              'stack select main') [[ -e stack ]] ;;
              'stack init main --secrets-provider azurekeyvault://perf-lab-'*.vault.azure.net/keys/state) [[ -e key && ! -e stack && -e Pulumi.main.yaml ]] && touch stack ;;
              *) echo "pulumi: what is $*" >&2; exit 9 ;;
            esac
            """);
        Tool("az", """
            cd "$STATE"; printf '%s\n' "$*" >>calls
            made() { [[ -e $1 ]]; }
            case "$*" in
              'account show '*) [[ ${AZ_LOGIN:-1} == 1 ]] || exit 1; echo '{"id":"22222222-2222-4222-8222-222222222222","tenantId":"11111111-1111-4111-8111-111111111111","user":{"name":"me@example.org"}}' ;;
              'ad signed-in-user show'*) echo 33333333-3333-4333-8333-333333333333 ;;
              'role assignment list'*--include-inherited*) echo "${AZ_ROLE:-Owner}" ;;
              'role assignment list'*Blob*) made blob-role && echo id || true ;;
              'role assignment list'*Crypto*) made crypto-role && echo id || true ;;
              'role assignment create'*Blob*) touch blob-role ;;
              'role assignment create'*Crypto*) touch crypto-role ;;
              'vm list-usage'*) printf '[{"name":{"value":"standardDSv5Family"},"currentValue":"0","limit":"%s"},{"name":{"value":"cores"},"currentValue":2,"limit":10}]' "${AZ_CORES:-10}" ;;
              'vm list-skus'*) printf '[{"name":"Standard_D4s_v5","restrictions":[%s]}]' "${AZ_RESTRICTION-}" ;;
              'group exists'*) made group && echo true || echo false ;;
              'group create'*) touch group ;;
              'group delete'*) rm -f group ;;
              'storage account show'*) made storage ;;
              'storage account create'*) touch storage ;;
              'storage container create'*) made blob-role || exit 1; touch container ;;
              'storage blob list'*) cat stacks 2>/dev/null || true ;;
              'keyvault show'*) made vault ;;
              'keyvault create'*) touch vault ;;
              'keyvault key show'*) made key ;;
              'keyvault key create'*) made crypto-role || exit 1; touch key ;;
              *) echo "az: what is $*" >&2; exit 9 ;;
            esac
            """);
    }

    public void Dispose() => folder.Delete(recursive: true);

    private void Tool(string name, string body)
    {
        var path = Path.Combine(folder.FullName, name);
        File.WriteAllText(path, "#!/bin/bash\n" + body.ReplaceLineEndings("\n") + "\n", new UTF8Encoding(false));
        File.SetUnixFileMode(path, (UnixFileMode)0b111_101_101);
    }

    private Task<ShellResult> RunAsync(string[] arguments, params (string Name, string Value)[] environment)
    {
        var start = new ProcessStartInfo(Path.Combine(Shell.Machine, "..", "bootstrap"), arguments)
        {
            Environment = { ["PATH"] = $"{folder.FullName}:/usr/bin:/bin", ["STATE"] = folder.FullName, ["PERF_LAB_STACK_FILES"] = folder.FullName, ["PERF_LAB_PAUSE"] = "0" },
        };
        foreach (var (name, value) in environment)
        {
            start.Environment[name] = value;
        }

        return Shell.RunAsync(start, null);
    }

    private string[] Changes => File.Exists(Path.Combine(folder.FullName, "calls"))
        ? [.. File.ReadAllLines(Path.Combine(folder.FullName, "calls")).Where(call => call.Contains(" init ", StringComparison.Ordinal) || call.Contains(" create", StringComparison.Ordinal) || call.Contains(" delete", StringComparison.Ordinal))] : [];

    [Fact]
    public async Task It_makes_the_place_of_the_state_the_rights_on_its_data_and_the_stack_file_and_the_second_time_nothing()
    {
        var first = await RunAsync(All);
        first.Exit.ShouldBe(0, first.Output);
        var file = await File.ReadAllTextAsync(Path.Combine(folder.FullName, "Pulumi.main.yaml"));
        var made = Changes.Length;

        var second = await RunAsync(All);

        second.Exit.ShouldBe(0, second.Output);
        Changes[made..].ShouldHaveSingleItem().ShouldStartWith("storage container create");    // which is its own check
        (await File.ReadAllTextAsync(Path.Combine(folder.FullName, "Pulumi.main.yaml"))).ShouldBe(file);
        file.ShouldContain("githubSubject: repo:octo-org@1234567/octo-repo@7654321");
        file.ShouldContain("github:owner: octo-org\n");
        file.ShouldContain("perf-lab:github: { branch: trunk, reviewers: [583231], stateUrl: \"azblob://state?storage_account=perflab");
        first.Output.ShouldEndWith("next:\n  GITHUB_TOKEN=$(gh auth token) pulumi up --policy-pack infra/policy\n  ./perf-lab lab configure\nand then steps 5 to 7 of docs/operations.md: the App's key, a try, the commit\n");
        file.ShouldContain("machines: [{ name: azure-d4s, size: Standard_D4s_v5 }]");
        file.ShouldContain($"start: \"{DateTime.UtcNow.ToString("yyyy-MM", CultureInfo.InvariantCulture)}-01\"");
        file.ShouldNotContain("PRIVATE");
    }

    [Fact]
    public async Task A_check_changes_nothing()
    {
        var result = await RunAsync(["--check", .. All]);

        result.Exit.ShouldBe(0, result.Output);
        result.Output.ShouldEndWith("nothing was changed\n");
        Changes.ShouldBeEmpty();
        File.Exists(Path.Combine(folder.FullName, "Pulumi.main.yaml")).ShouldBeFalse();
    }

    [Fact]
    public async Task A_private_repository_below_enterprise_gets_no_reviewers()
    {
        var result = await RunAsync(All, ("GH_PRIVATE", "true"), ("GH_PLAN", "team"));

        result.Exit.ShouldBe(0, result.Output);
        result.Output.ShouldContain("no reviewers for changes of the lab");
        (await File.ReadAllTextAsync(Path.Combine(folder.FullName, "Pulumi.main.yaml"))).ShouldContain("reviewers: [],");
    }

    [Theory]
    [InlineData("GH_ADMIN", "false", "you do not administer octo-org/octo-repo")]
    [InlineData("GH_PRIVATE", "true", "octo-org/octo-repo is private and GitHub's plan of octo-org is free")]
    [InlineData("AZ_LOGIN", "0", "nobody is logged in to Azure: az login")]
    [InlineData("AZ_ROLE", "Contributor", "you are not Owner of the subscription (but: Contributor)")]
    [InlineData("AZ_CORES", "3", "quota standardDSv5Family: 3 cores free, 4 wanted")]
    [InlineData("AZ_RESTRICTION", """{"type":"Location","reasonCode":"NotAvailableForSubscription"}""", "Standard_D4s_v5 is not offered to you in westeurope: NotAvailableForSubscription")]
    [InlineData("GH_AUTH", "1", "nobody is logged in to GitHub")]
    public async Task What_the_lab_would_fail_by_is_told_before_anything_is_made(string name, string value, string says)
    {
        var result = await RunAsync(All, (name, value));

        result.Exit.ShouldBe(1);
        result.Output.ShouldContain("no   " + says);
        Changes.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("--location", "West Europe")]
    [InlineData("--repository", "octo-org")]
    [InlineData("--repository", "octo-org/octo; reboot")]
    [InlineData("--app", "perf-lab")]
    [InlineData("--email", "a@b.c\"]")]
    [InlineData("--size", "Standard_B2s")]
    [InlineData("--image", "Debian:debian-13:13-gen2:latest")]
    [InlineData("--stack", "Main_1")]
    public async Task A_wrong_value_is_named_with_what_is_valid(string option, string value)
    {
        var result = await RunAsync([.. All, option, value]);

        result.Exit.ShouldBe(1);
        result.Output.ShouldContain($"no   {option} \"{value}\" is not ");
        Changes.ShouldBeEmpty();
    }

    [Fact]
    public async Task An_option_that_is_unknown_or_empty_is_wrong_use()
    {
        (await RunAsync(["--regoin", "x"])).Output.ShouldContain("valid: --check, --undo, --stack");
        (await RunAsync(["--location"])).Exit.ShouldBe(2);
    }

    [Fact]
    public async Task Who_gives_no_values_is_told_which_are_missing_and_who_asks_for_help_gets_it_without_a_login()
    {
        (await RunAsync(["--check"])).Output.ShouldContain("no   --location is missing: an Azure region such as westeurope\nno   --repository is missing: OWNER/NAME\n");

        var help = await RunAsync(["--help"], ("AZ_LOGIN", "0"));

        help.Exit.ShouldBe(0, help.Output);
        help.Output.ShouldContain("infra/bootstrap --check");
        help.Output.ShouldNotContain("pipefail");
    }

    [Fact]
    public async Task Undoing_waits_for_the_stacks_to_be_gone()
    {
        await RunAsync(All);
        await File.WriteAllTextAsync(Path.Combine(folder.FullName, "stacks"), ".pulumi/stacks/perf-lab/main.json\n");

        var refused = await RunAsync(["--undo"]);
        File.Delete(Path.Combine(folder.FullName, "stacks"));
        var done = await RunAsync(["--undo"]);
        var again = await RunAsync(["--undo"]);

        (refused.Exit, done.Exit, again.Exit).ShouldBe((1, 0, 0));
        refused.Output.ShouldContain("stacks are still in the state: pulumi destroy");
        again.Output.ShouldContain("there is no group perf-lab-state");
    }

    [Fact]
    public async Task Shellcheck_has_nothing_to_say()
    {
        Shell.Need("shellcheck", "shellcheck");

        (await Shell.RunAsync("shellcheck", Path.Combine(Shell.Machine, "..", "bootstrap"))).Output.ShouldBeEmpty();
    }
}
