using System.Collections;
using PerfLab.Building.Tools;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Workload.Tests.Building;

public class PublishCommandTests
{
    [Fact]
    public void the_runtime_is_pinned_by_the_injected_targets_and_never_by_global_properties_that_would_drag_more_along()
    {
        var arguments = For();
        arguments.ShouldContain("-p:PerfLabRuntime=8.0.33", StringComparer.Ordinal);
        arguments.ShouldContain("-p:PerfLabTargetFramework=net8.0", StringComparer.Ordinal);
        arguments.ShouldContain("-p:CustomAfterMicrosoftCommonTargets=/t.targets", StringComparer.Ordinal);
        arguments.ShouldNotContain(argument => argument.StartsWith("-p:TargetFramework", StringComparison.Ordinal) || argument.StartsWith("-p:RuntimeFrameworkVersion", StringComparison.Ordinal));
    }

    [Fact]
    public void a_value_can_not_become_another_property_or_an_expression() =>
        For(("LibrarySource", "/a;DebugType=full,b$(HOME)%3B@(x)")).ShouldContain("-p:LibrarySource=/a%3BDebugType=full%2Cb%24(HOME)%253B%40(x)", StringComparer.Ordinal);

    [Fact]
    public void a_workload_can_not_take_the_labs_own_properties() =>
        For(("PerfLabRuntime", "9.9.9")).ShouldContain("-p:PerfLabRuntime=8.0.33", StringComparer.Ordinal);

    [Fact]
    public void only_what_finds_things_gets_into_the_build()
    {
        var inherited = new Hashtable
        {
            ["PATH"] = "/bin",
            ["HOME"] = "/home/me",
            ["NUGET_PACKAGES"] = "/p",
            ["https_proxy"] = "http://proxy",
            ["SSL_CERT_FILE"] = "/c",
            ["Configuration"] = "Debug",
            ["CI"] = "true",
            ["Version"] = "9",
            ["DOTNET_TieredPGO"] = "0",
            ["MSBUILDENABLEALLPROPERTYFUNCTIONS"] = "1",
            ["GITHUB_TOKEN"] = "secret",
        };
        var environment = BuildEnvironment.From(inherited);
        environment.Keys.ShouldBe(
            ["DOTNET_CLI_TELEMETRY_OPTOUT", "DOTNET_CLI_UI_LANGUAGE", "DOTNET_CLI_USE_MSBUILD_SERVER", "DOTNET_CLI_WORKLOAD_UPDATE_NOTIFY_DISABLE", "DOTNET_GENERATE_ASPNET_CERTIFICATE",
             "DOTNET_NOLOGO", "DOTNET_SKIP_FIRST_TIME_EXPERIENCE", "HOME", "LANG", "MSBUILDDISABLENODEREUSE", "NUGET_PACKAGES", "PATH", "SSL_CERT_FILE", "https_proxy"]);
    }

    private static IReadOnlyList<string> For(params (string Name, string Value)[] properties) => PublishCommand.For(
        new BuildRecipe
        {
            Workload = "w",
            Folder = "/w",
            Kind = BuildKind.Dotnet,
            Project = "W.csproj",
            TargetFramework = "net8.0",
            RuntimePatch = "8.0.33",
            Properties = properties.ToDictionary(property => property.Name, property => property.Value, StringComparer.Ordinal),
        },
        new PublishPaths("/o", "/a", "/i", "/t.targets", "/f.targets", null));
}
