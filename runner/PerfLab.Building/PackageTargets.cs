using PerfLab.Core.Planning;

namespace PerfLab.Building;

/// <summary>
/// The packages of an arm as MSBuild targets, for every project of a build. They run before NuGet reads what a project refers to, so that
/// they see it all: what a Directory.Packages.props says, and what a Directory.Build.targets adds.
/// </summary>
internal static class PackageTargets
{
    /// <summary>Before each target that NuGet, and the build after it, asks for references.</summary>
    private const string Before = "CollectPackageReferences;CollectCentralPackageVersions;_GenerateRestoreProjectPathItemsPerFramework;"
        + "_GenerateProjectRestoreGraphPerFramework;AssignProjectConfiguration";

    /// <summary>Begins the line in the file of inputs that names a package to which a project refers by itself.</summary>
    public const string Line = "package ";

    /// <summary>Ids and versions are such as need no escape (<see cref="PackageChoice.Parse"/>).</summary>
    public static string Of(PackageChoice packages) => $"<Project>{string.Concat(packages.Versions.Index().Select(package =>
        Target(package.Index.ToString(CultureInfo.InvariantCulture), package.Item.Key, package.Item.Value)))}\n</Project>\n";

    // The exact version, or none: NuGet then refuses what does not go with it. A project reference to the library's own sources is
    // replaced, which compares a checkout with a release. What only other packages refer to becomes a reference of the measured project.
    private static string Target(string number, string id, string version) => $"""

          <Target Name="PerfLabPackage{number}" BeforeTargets="{Before}">
            <ItemGroup>
              <_PerfLabDirect{number} Include="@(PackageReference)" Condition="'%(Identity)' == '{id}'" />
              <_PerfLabSource{number} Include="@(ProjectReference)" Condition="'%(Filename)' == '{id}'" />
            </ItemGroup>
            <PropertyGroup>
              <_PerfLabIsCentral>$(ManagePackageVersionsCentrally)</_PerfLabIsCentral>
              <_PerfLabIsRoot Condition="'$(MSBuildProjectFullPath)' == '$(PerfLabPackagesRoot)'">true</_PerfLabIsRoot>
              <_PerfLabSourced{number}>@(_PerfLabSource{number})</_PerfLabSourced{number}>
              <_PerfLabRefers{number}>@(_PerfLabDirect{number})$(_PerfLabSourced{number})</_PerfLabRefers{number}>
              <_PerfLabAdds{number} Condition="'@(_PerfLabDirect{number})' == ''">$(_PerfLabSourced{number})$(_PerfLabIsRoot)</_PerfLabAdds{number}>
            </PropertyGroup>
            <WriteLinesToFile Condition="'$(_PerfLabRefers{number})' != '' and '$(PerfLabInputs)' != ''"
                              File="$(PerfLabInputs)" Lines="{Line}{id}" Overwrite="false" />
            <ItemGroup>
              <ProjectReference Remove="@(_PerfLabSource{number})" />
              <PackageReference Include="{id}" Condition="'$(_PerfLabAdds{number})' != ''" />
              <PackageReference Condition="'%(Identity)' == '{id}' and '$(_PerfLabIsCentral)' != 'true'">
                <Version>[{version}]</Version>
              </PackageReference>
              <PackageReference Condition="'%(Identity)' == '{id}' and '$(_PerfLabIsCentral)' == 'true'">
                <VersionOverride></VersionOverride>
              </PackageReference>
              <PackageVersion Remove="{id}" Condition="'$(_PerfLabIsCentral)' == 'true'" />
              <PackageVersion Include="{id}" Version="[{version}]" Condition="'$(_PerfLabIsCentral)' == 'true'" />
            </ItemGroup>
          </Target>
        """;
}
