using System.Diagnostics;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Runner.Tests.MachineContent;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>
/// The package that `dotnet pack` makes, installed and used by an ordinary user in folders that know nothing of perf-lab. Nothing is played;
/// what it measures there is left to `./perf-lab test --all`.
/// </summary>
public sealed class InstalledToolTests(InstalledTool tool) : IClassFixture<InstalledTool>
{
    [Fact]
    public async Task without_a_repository_it_has_the_workloads_that_came_with_it_and_keeps_what_it_writes_with_the_users_data()
    {
        var listed = await tool.RunAsync("perf-lab list workloads");
        listed.Exit.ShouldBe(0, listed.Output);
        listed.Output.ShouldContain("json-round-trip");

        var planned = await tool.RunAsync("perf-lab run json-round-trip --base pgo=off --head pgo=on --runtime net10.0 --executor process --dry-run");
        planned.Exit.ShouldBe(0, planned.Output);
        planned.Output.ShouldContain("executor process");
        Directory.Exists(tool.At("home/.local/share/perf-lab")).ShouldBeTrue();
        Directory.Exists(tool.At("home/.local/share/perf-lab/.perf-lab")).ShouldBeFalse();
        tool.Changed().ShouldBeEmpty();
    }

    [Fact]
    public async Task what_an_earlier_version_kept_one_folder_deeper_is_brought_up_once()
    {
        foreach (var folder in new[] { ".local", ".local/share", ".local/share/perf-lab", ".local/share/perf-lab/.perf-lab" }
            .Where(folder => !Directory.Exists(tool.At($"home/{folder}"))))
        {
            tool.Folder($"home/{folder}");
        }

        tool.Folder("home/.local/share/perf-lab/.perf-lab/sessions");
        tool.Folder("home/.local/share/perf-lab/.perf-lab/sessions/one", ("plan.json", "{}"));
        (await tool.RunAsync("perf-lab list workloads")).Output.ShouldContain("is in /");
        File.Exists(tool.At("home/.local/share/perf-lab/sessions/one/plan.json")).ShouldBeTrue();
        Directory.Exists(tool.At("home/.local/share/perf-lab/.perf-lab")).ShouldBeFalse();
        (await tool.RunAsync("perf-lab list workloads")).Output.ShouldNotContain("is in /");
    }

    [Fact]
    public async Task what_it_advises_to_type_is_its_name_on_the_path()
    {
        var wrong = await tool.RunAsync("perf-lab run --base pgo=off --head pgo=on");
        wrong.Exit.ShouldNotBe(0);
        wrong.Output.ShouldContain("Example: perf-lab run ");
        wrong.Output.ShouldNotContain("./perf-lab");
    }

    [Fact]
    public async Task the_program_of_the_machines_came_with_it()
    {
        var status = await tool.RunAsync("perf-lab lab status");
        status.Exit.ShouldBe(1, status.Output);
        status.Output.ShouldContain("there is none beside perf-lab.yaml");
        (await tool.RunAsync("perf-lab lab reap --help")).Output.ShouldContain("  perf-lab lab reap --runners runners.json");
    }

    [Fact]
    public async Task in_a_repository_with_a_lab_of_its_own_that_one_is_used_but_for_the_demo()
    {
        var mine = tool.Folder("mine", ("perf-lab.yaml", "schema: perf-lab/config/1\nworkloads: [bench]\n"));
        (await tool.RunAsync("perf-lab list workloads", mine)).Output.ShouldNotContain("json-round-trip");
        (await tool.RunAsync("perf-lab demo --help", mine)).Exit.ShouldBe(0);
        Directory.Exists(Path.Combine(mine, ".perf-lab")).ShouldBeTrue();
    }

    [Fact]
    public async Task it_measures_a_project_of_benchmarks()
    {
        Nightly.Only("minutes: it restores, builds and measures");
        var mine = tool.Folder("bench",
            ("My.Benchmarks.csproj", """
                <Project Sdk="Microsoft.NET.Sdk">
                  <PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework></PropertyGroup>
                  <ItemGroup><PackageReference Include="BenchmarkDotNet" Version="0.15.8" /></ItemGroup>
                </Project>
                """),
            ("Sums.cs", """
                public class Sums
                {
                    [BenchmarkDotNet.Attributes.Benchmark]
                    public int Add() { var sum = 0; for (var i = 0; i < 1000; i++) { sum += i; } return sum; }
                    public static void Main() { }
                }
                """));
        var measured = await tool.RunAsync("cp -r . ../home/bench && cd ../home/bench && git init -q -b main && git add . && git -c user.name=a -c user.email=a@localhost commit -qm first "
            + "&& perf-lab run My.Benchmarks.csproj --aa --executor process --rounds 0+13", mine);
        measured.Exit.ShouldBe(0, measured.Output);
        measured.Output.ShouldContain("Sums.Add");
        tool.Changed().ShouldBeEmpty();
    }
}

/// <summary>Packs the runner as it was built for these tests, and installs it for a user who is not root, where this is root.</summary>
public sealed class InstalledTool : IAsyncLifetime
{
    private const string Nobody = "65534";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("installed-tool-");
    private Dictionary<string, DateTime> _installed = [];

    public async ValueTask InitializeAsync()
    {
        var configuration = AppContext.BaseDirectory.Contains("/Release/", StringComparison.Ordinal) ? "Release" : "Debug";
        Folder("home");
        var packed = await Shell.RunAsync("dotnet", "pack", Path.Combine(Repository.Root, "runner", "PerfLab.Runner"), "--no-build", "--nologo",
            "--configuration", configuration, "--output", Folder("feed"), "-nodeReuse:false");
        packed.Exit.ShouldBe(0, packed.Output);
        var installed = await Shell.RunAsync("dotnet", "tool", "install", "perf-lab", "--source", At("feed"), "--tool-path", At("tools"));
        installed.Exit.ShouldBe(0, installed.Output);
        File.SetUnixFileMode(_folder.FullName, (UnixFileMode)0b111_101_101);
        _installed = Written();
    }

    public async ValueTask DisposeAsync()
    {
        await Task.CompletedTask;
        _folder.Delete(recursive: true);
    }

    public string At(string path) => Path.Combine(_folder.FullName, path);

    /// <summary>A folder with these files, of the user who is not root.</summary>
    public string Folder(string name, params (string Name, string Text)[] files)
    {
        var folder = Directory.CreateDirectory(At(name)).FullName;
        File.SetUnixFileMode(folder, (UnixFileMode)0b111_111_111);
        foreach (var (file, text) in files)
        {
            File.WriteAllText(Path.Combine(folder, file), text);
        }

        return folder;
    }

    /// <summary>What a person types, in a folder that is no repository where none is named.</summary>
    public Task<ShellResult> RunAsync(string typed, string? folder = null)
    {
        string[] asNobody = Environment.UserName == "root" ? ["setpriv", "--reuid", Nobody, "--regid", Nobody, "--clear-groups"] : [];
        string[] words = [.. asNobody, "bash", "-c", typed];
        var start = new ProcessStartInfo(words[0], words[1..]) { WorkingDirectory = folder ?? Folder("empty") };
        foreach (var name in start.Environment.Keys.Where(name => name.StartsWith("PERF_LAB_", StringComparison.Ordinal) || name == "XDG_DATA_HOME").ToList())
        {
            start.Environment.Remove(name);
        }

        start.Environment["HOME"] = At("home");
        start.Environment["PATH"] = $"{At("tools")}:{start.Environment["PATH"]}";
        return Shell.RunAsync(start, input: null);
    }

    /// <summary>Files of the tool itself that are not what they were when it was installed.</summary>
    public IEnumerable<string> Changed() => Written().Except(_installed).Select(file => file.Key);

    private Dictionary<string, DateTime> Written() => Directory.EnumerateFiles(At("tools"), "*", SearchOption.AllDirectories)
        .ToDictionary(file => file, File.GetLastWriteTimeUtc, StringComparer.Ordinal);
}
