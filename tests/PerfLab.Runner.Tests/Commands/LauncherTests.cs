using System.Diagnostics;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Runner.Tests.MachineContent;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>The script `perf-lab` with a dotnet that only says how it was called.</summary>
public sealed class LauncherTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("launcher ").FullName;

    public LauncherTests()
    {
        foreach (var file in new[] { "lab/Directory.Build.props", "lab/Directory.Packages.props", "lab/global.json", "lab/.editorconfig", "lab/BannedSymbols.txt", "lab/runner/Source.cs" })
        {
            Write(file, "");
        }

        Write("lab/perf-lab", Repository.Read("perf-lab"));
        Write("bin/dotnet", "#!/bin/sh\n[ \"$1\" = build ] || echo \"$PERF_LAB_PROGRAM in $PERF_LAB_ROOT\"\n[ \"$1\" = build ] || echo \"kit: $PERF_LAB_KIT\"\n");
        Directory.CreateDirectory(At("mine"));
        Directory.CreateDirectory(At("library/source/deep"));
        Write("library/perf-lab.yaml", "");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task it_says_how_long_building_takes_only_when_it_builds()
    {
        var first = await RunAsync("lab", "./perf-lab");
        first.ShouldContain($"building the runner from its sources; this is done once and takes a minute or two (log: {At("lab")}/.perf-lab/runner/build.log)\n");
        first.ShouldMatch("\nperf-lab: built the runner in [0-9]+ s\n"); // none on an idle machine
        (await RunAsync("lab", "./perf-lab")).ShouldNotContain("runner");
    }

    [Fact]
    public async Task the_folder_that_it_makes_ignores_itself()
    {
        await RunAsync("lab", "./perf-lab");
        File.ReadAllText(At("lab/.perf-lab/.gitignore")).ShouldBe("*\n");
    }

    [Theory]
    [InlineData("lab", "./perf-lab", "./perf-lab in {lab}")]
    [NightlyData("mine", "../lab/perf-lab", "../lab/perf-lab in {lab}")]
    [InlineData("library", "../lab/perf-lab", "../lab/perf-lab in {library}")]
    [InlineData("library", "../lab/perf-lab demo", "../lab/perf-lab in {lab}")]
    [NightlyData("library/source/deep", "../../../lab/perf-lab", "../../../lab/perf-lab in {library}")]
    [InlineData("library", "PERF_LAB_ROOT=../mine ../lab/perf-lab", "PERF_LAB_ROOT=../mine ../lab/perf-lab in ../mine")]
    [InlineData("mine", "PERF_LAB_ROOT=$PWD ../lab/perf-lab", "PERF_LAB_ROOT=$PWD ../lab/perf-lab in {mine}")]
    [NightlyData("lab", "PERF_LAB_ROOT=../mine ./perf-lab", "PERF_LAB_ROOT=../mine ./perf-lab in ../mine")]
    [InlineData("bin", "PERF_LAB_ROOT='a b' \"$OLDPWD/../lab/perf-lab\"", @"PERF_LAB_ROOT=a\ b {folder}/bin/../lab/perf-lab in a b")]
    public async Task the_program_knows_what_was_typed(string at, string typed, string expected)
    {
        var said = (await RunAsync(at, typed)).Split('\n', StringSplitOptions.RemoveEmptyEntries)[0]; // what it says while it builds comes after
        said.ShouldBe(expected.Replace("{lab}", At("lab")).Replace("{mine}", At("mine")).Replace("{library}", At("library")).Replace("{folder}", _folder.Replace(" ", @"\ ")));
    }

    [Theory]
    [InlineData("lab", "./perf-lab", "{lab}/workloads/kit/PerfLab.WorkloadKit.csproj")]
    [InlineData("mine", "PERF_LAB_ROOT=$PWD ../lab/perf-lab", "{lab}/workloads/kit/PerfLab.WorkloadKit.csproj")]
    [InlineData("mine", "PERF_LAB_KIT=elsewhere ../lab/perf-lab", "elsewhere")]
    public async Task another_repository_builds_with_the_kit_of_this_checkout(string at, string typed, string expected) =>
        (await RunAsync(at, typed)).ShouldContain($"kit: {expected.Replace("{lab}", At("lab"))}\n");

    [Theory]
    [InlineData("Darwin arm64")]
    [NightlyData("MINGW64_NT-10.0 x86_64")]
    [NightlyData("Linux aarch64")]
    public async Task another_system_is_told_what_perf_lab_runs_on(string system)
    {
        Write("bin/uname", $"#!/bin/sh\necho '{system}'\n");
        var said = await RunAsync("lab", "./perf-lab || test $? = 1");
        said.ShouldContain("perf-lab runs on Linux x64");
        said.ShouldContain($"this is {system}");
        said.ShouldContain("WSL 2");
    }

    private async Task<string> RunAsync(string at, string typed)
    {
        var start = new ProcessStartInfo("bash", ["-c", typed]) { WorkingDirectory = At(at) };
        start.Environment["PATH"] = At("bin") + ":" + start.Environment["PATH"];
        start.Environment["OLDPWD"] = At(at);
        start.Environment.Remove("PERF_LAB_ROOT");
        start.Environment.Remove("PERF_LAB_KIT");
        var result = await Shell.RunAsync(start, input: null);
        result.Exit.ShouldBe(0, result.Output);
        return result.Output;
    }

    private string At(string path) => Path.Combine(_folder, path);

    private void Write(string path, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(At(path))!);
        File.WriteAllText(At(path), text);
        Executable.Make(At(path));
    }
}
