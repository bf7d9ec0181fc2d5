using System.Diagnostics;
using System.Text;

namespace PerfLab.Runner.Tests.MachineContent;

/// <summary>
/// `infra/bootstrap` with stand-ins for `az`, `gh`, `npm` and `pulumi` that remember what was made, and refuse data to whoever has no role on it.
/// `gh` answers as <see cref="SubjectAnswers"/> has it; a provider that is being registered is so at the second look.
/// </summary>
public sealed class BootstrapStandIns : IDisposable
{
    internal static readonly string[] All =
    [
        "--location", "westeurope", "--repository", "octo-org/octo-repo",
        "--app", "123456", "--installation", "7890123", "--email", "owner@example.org",
    ];
    /// <summary>As a subscription has them that somebody has used: `az provider list` writes some names in lower case.</summary>
    private static readonly string[] Providers =
    [
        "Microsoft.Compute Registered", "Microsoft.ContainerService Registered", "Microsoft.CostManagement Registered", "Microsoft.DevTestLab Registered",
        "Microsoft.KeyVault Registered", "microsoft.logic Registered", "Microsoft.ManagedIdentity Registered", "Microsoft.Network Registered",
        "Microsoft.Storage Registered", "Microsoft.Web NotRegistered",
    ];

    private static readonly string[] Changing = [" init ", " create", " delete", " register"];
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");

    public BootstrapStandIns()
    {
        Shell.Need("jq", "jq");
        Shell.Need("ssh-keygen", "openssh-client");
        Tool("gh", """
            case "$*" in
              'auth status') exit "${GH_AUTH:-0}" ;;
              # An old name is answered with 301, which `gh` follows: what comes is the repository as it is called now.
              'api repos/octo-org/octo-repo' | 'api repos/octo-org/old-name')
                printf '{"id":7654321,"name":"octo-repo","full_name":"octo-org/octo-repo","private":%s,"default_branch":"trunk",' "${GH_PRIVATE:-false}"
                printf '"permissions":{"admin":%s},"owner":{"login":"octo-org","id":1234567}}' "${GH_ADMIN:-true}" ;;
              'api repos/octo-org/octo-repo/actions/oidc/customization/sub') printf '%s' "${GH_SUBJECT-$GH_NAMES}"; [[ -z ${GH_SAYS-} ]] || { echo "gh: $GH_SAYS" >&2; exit 1; } ;;
              'api user') echo '{"login":"octocat","id":583231,"plan":{"name":"pro"}}' ;;
              'api orgs/octo-org '*) echo "${GH_PLAN:-free}" ;;
              *) echo "gh: what is $*" >&2; exit 9 ;;
            esac
            """);
        System.IO.File.WriteAllLines(File("providers"), Providers);
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
              'provider list '*) jq --raw-input --null-input '[inputs / " " | {name: .[0], state: .[1]}]' providers ;;
              'provider register --namespace '*) sed -i "s/^$4 .*/$4 Registering/i" providers ;;
              'provider show --namespace '*)
                sed -n "s/^$4 //ip" providers
                [[ -n ${AZ_SLOW-} ]] || sed -i "s/^$4 Registering/$4 Registered/i" providers ;;
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

    /// <summary>A file of the state of the stand-ins, or of what bootstrap wrote.</summary>
    public string File(string name) => Path.Combine(folder.FullName, name);

    public void Dispose() => folder.Delete(recursive: true);

    private void Tool(string name, string body)
    {
        var path = Path.Combine(folder.FullName, name);
        System.IO.File.WriteAllText(path, "#!/bin/bash\n" + body.ReplaceLineEndings("\n") + "\n", new UTF8Encoding(false));
        Executable.Make(path);
    }

    public Task<ShellResult> RunAsync(string[] arguments, params (string Name, string Value)[] environment)
    {
        var start = new ProcessStartInfo(Path.Combine(Shell.Machine, "..", "bootstrap"), arguments)
        {
            Environment = { ["PATH"] = $"{folder.FullName}:/usr/bin:/bin", ["STATE"] = folder.FullName, ["PERF_LAB_STACK_FILES"] = folder.FullName, ["PERF_LAB_PAUSE"] = "0", ["GH_NAMES"] = SubjectAnswers.Names },
        };
        foreach (var (name, value) in environment)
        {
            start.Environment[name] = value;
        }

        return Shell.RunAsync(start, null);
    }

    public string[] Changes => System.IO.File.Exists(File("calls"))
        ? [.. System.IO.File.ReadAllLines(File("calls")).Where(call => Changing.Any(word => call.Contains(word, StringComparison.Ordinal)))] : [];
}
