using System.Collections;

namespace PerfLab.Building.Tools;

/// <summary>
/// The environment that builds run in: what NuGet and the SDK need to find things, and nothing that changes what comes out. MSBuild reads
/// every variable as a property (a stray <c>Version</c> or <c>CI</c> would change the bits), so this is a list of what is let in.
/// </summary>
internal static class BuildEnvironment
{
    private static readonly string[] Names =
    [
        "PATH", "HOME", "USER", "TMPDIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "DOTNET_ROOT", "DOTNET_ROOT_X64",
        "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
    ];

    private static readonly string[] Prefixes = ["NUGET_", "DOTNET_CLI_", "SSL_CERT_"];

    // Texts are read by our parsers, so they come in English; nothing stays running after a build.
    private static readonly (string Name, string Value)[] Fixed =
    [
        ("DOTNET_CLI_UI_LANGUAGE", "en"),
        ("DOTNET_CLI_TELEMETRY_OPTOUT", "1"),
        ("DOTNET_CLI_USE_MSBUILD_SERVER", "0"),
        ("DOTNET_CLI_WORKLOAD_UPDATE_NOTIFY_DISABLE", "true"),
        ("DOTNET_NOLOGO", "1"),
        ("DOTNET_GENERATE_ASPNET_CERTIFICATE", "false"),
        ("DOTNET_SKIP_FIRST_TIME_EXPERIENCE", "1"),
        ("MSBUILDDISABLENODEREUSE", "1"),
        ("LANG", "C.UTF-8"),
    ];

    public static IReadOnlyDictionary<string, string> From(IDictionary inherited)
    {
        var kept = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (DictionaryEntry entry in inherited)
        {
            var name = (string)entry.Key;
            if (Names.Contains(name, StringComparer.Ordinal) || Prefixes.Any(prefix => name.StartsWith(prefix, StringComparison.Ordinal)))
            {
                kept[name] = (string?)entry.Value ?? "";
            }
        }

        foreach (var (name, value) in Fixed)
        {
            kept[name] = value;
        }

        return kept;
    }
}
