namespace PerfLab.Runner.Building;

/// <summary>Finds out whether a runtime pack can be restored, by restoring it: the only answer that holds for every kind of package source.</summary>
internal sealed class PackProbe(DotnetCli dotnet, IReadOnlyList<string> feeds)
{
    /// <summary>
    /// True when <paramref name="id"/> in exactly <paramref name="version"/> is now in NuGet's folder; false when every source was asked
    /// and none has it; null when the answer is not about the pack (a source did not answer), so it must not be remembered.
    /// </summary>
    /// <param name="folder">Where the tiny project goes; the nuget.config files above it are in force, as for the workloads.</param>
    public async Task<bool?> TryAsync(string id, string version, string folder, CancellationToken cancellationToken)
    {
        using var probe = new UnfinishedFolder(Path.Combine(folder, Guid.NewGuid().ToString("n")));
        await File.WriteAllTextAsync(probe.Sub("probe.csproj"), Project(id, version), cancellationToken);
        var result = await dotnet.RunAsync(["restore", probe.Sub("probe.csproj"), "-nodeReuse:false", "-m:1", "-tl:off"], probe.Path, cancellationToken);
        return result.ExitCode == 0 ? true
            : result.Output.Contains("NU1101", StringComparison.Ordinal) || result.Output.Contains("NU1102", StringComparison.Ordinal) ? false
            : null;
    }

    // The Import guards keep a repository's own props out of the probe.
    private string Project(string id, string version) => $"""
        <Project>
          <PropertyGroup>
            <ImportDirectoryBuildProps>false</ImportDirectoryBuildProps>
            <ImportDirectoryBuildTargets>false</ImportDirectoryBuildTargets>
            <ImportDirectoryPackagesProps>false</ImportDirectoryPackagesProps>
          </PropertyGroup>
          <Import Project="Sdk.props" Sdk="Microsoft.NET.Sdk" />
          <PropertyGroup>
            <TargetFramework>netstandard2.0</TargetFramework>
            <DisableImplicitFrameworkReferences>true</DisableImplicitFrameworkReferences>
            <NuGetAudit>false</NuGetAudit>
            <RestoreAdditionalProjectSources>{System.Security.SecurityElement.Escape(string.Join(';', feeds))}</RestoreAdditionalProjectSources>
          </PropertyGroup>
          <ItemGroup>
            <PackageDownload Include="{id}" Version="[{version}]" />
          </ItemGroup>
          <Import Project="Sdk.targets" Sdk="Microsoft.NET.Sdk" />
        </Project>
        """;
}
