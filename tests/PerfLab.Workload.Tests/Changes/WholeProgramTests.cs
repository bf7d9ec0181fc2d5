using PerfLab.Building.Changes;

namespace PerfLab.Workload.Tests.Changes;

/// <summary>Differences that no method shows: each measures everything, and says why.</summary>
public sealed class WholeProgramTests(Lab lab)
{
    private const string Source = "public static class Entries { public static void Main() { } }";

    [Theory]
    [InlineData("data.csv", "data.csv differs, which is no assembly of the project")]
    [InlineData("libnative.so", "libnative.so differs, which is no assembly of the project")]
    [InlineData("App.runtimeconfig.json", "App.runtimeconfig.json differs, which is no assembly of the project")]
    public void a_file_that_is_no_assembly_measures_everything(string file, string why)
    {
        var (old, now) = Pair(Source, Source);
        File.WriteAllText(Path.Combine(now.Folder, file), "another");
        BuildChange.Of(old.Content, now.Content).Everything.ShouldBe([why]);
    }

    [Theory]
    [InlineData("App.pdb")]
    [InlineData("App.xml")]
    public void a_file_that_no_launch_reads_changes_nothing(string file)
    {
        var (old, now) = Pair(Source, Source);
        File.WriteAllText(Path.Combine(now.Folder, file), "another");
        BuildChange.Of(old.Content, now.Content).IsNothing.ShouldBeTrue();
    }

    [Fact]
    public void a_resource_measures_everything()
    {
        var folder = lab.NewFolder();
        var old = CompiledProgram.Make(Path.Combine(folder, "base"), Source, resource: [1, 2, 3]);
        var now = CompiledProgram.Make(Path.Combine(folder, "head"), Source, resource: [1, 2, 4]);
        BuildChange.Of(old.Content, now.Content).Everything.ShouldHaveSingleItem().ShouldContain("App.dll differs in its resources");
    }

    [Fact]
    public void a_precompiled_assembly_measures_everything()
    {
        var (old, now) = Pair(Source, Source);
        var precompiled = File.ReadAllBytes(Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "System.Collections.dll"));
        foreach (var (program, bytes) in new[] { (old, precompiled), (now, (byte[])[.. precompiled, 0]) })
        {
            File.WriteAllBytes(Path.Combine(program.Folder, "Fast.dll"), bytes);
            CompiledProgram.WriteParts(program.Folder, "App", "Fast");
        }

        BuildChange.Of(old.Content, now.Content).Everything.ShouldHaveSingleItem().ShouldContain("Fast.dll is precompiled");
    }

    [Fact]
    public void an_assembly_that_is_cut_is_no_content()
    {
        var (old, _) = Pair(Source, Source);
        var path = Path.Combine(old.Folder, "App.dll");
        var bytes = File.ReadAllBytes(path);
        File.WriteAllBytes(path, bytes[..(bytes.Length / 2)]);
        var (content, why) = BuildContent.Read(old.Folder);
        content.ShouldBeNull();
        why!.ShouldStartWith("an assembly of it can't be read");
    }

    [Fact]
    public void a_package_is_compared_as_ones_own_code()
    {
        const string App = "public static class Entries { public static void Main() => System.Console.WriteLine(Package.F(1)); }";
        var folder = lab.NewFolder();
        var old = CompiledProgram.Make(Path.Combine(folder, "base"), App, library: "public static class Package { public static int F(int x) => x + 1; public static int G() => 1; }");
        var now = CompiledProgram.Make(Path.Combine(folder, "head"), App, library: "[assembly: System.Reflection.AssemblyVersion(\"2.0.0.0\")] public static class Package { public static int F(int x) => x + 2; public static int G() => 1; }");
        var change = BuildChange.Of(old.Content, now.Content);
        change.Methods.Select(part => part.Words).ShouldBe(["Package.F"]);
        change.Everything.ShouldBeEmpty();
        new TouchRule(old.Content, now.Content, change).OfReference(new HashSet<string>(["[App]Entries::Main():Void"])).Untouched.ShouldBeFalse();
    }

    [Fact]
    public void what_only_BenchmarkDotNet_needs_is_a_tool_and_what_the_project_needs_too_is_measured()
    {
        var folder = lab.NewFolder();
        File.WriteAllText(Path.Combine(folder, "D.deps.json"), """
            { "runtimeTarget": { "name": "t", "signature": "" }, "targets": { "t": {
              "PerfLab.BenchmarkDriver/1.0.0": { "dependencies": { "My.Benchmarks": "1.0.0", "PerfLab.WorkloadKit": "1.0.0" }, "runtime": { "PerfLab.BenchmarkDriver.dll": {} } },
              "PerfLab.WorkloadKit/1.0.0": { "runtime": { "PerfLab.WorkloadKit.dll": {} } },
              "My.Benchmarks/1.0.0": { "dependencies": { "BenchmarkDotNet": "0.14.0", "Both": "1.0.0" }, "runtime": { "My.Benchmarks.dll": {} } },
              "BenchmarkDotNet/0.14.0": { "dependencies": { "Both": "1.0.0", "Alone": "1.0.0" }, "runtime": { "lib/net6.0/BenchmarkDotNet.dll": {} } },
              "Both/1.0.0": { "runtime": { "lib/Both.dll": {} } }, "Alone/1.0.0": { "runtime": { "lib/Alone.dll": {} } } } },
              "libraries": { } }
            """);
        var files = PublishedFiles.Of(folder).ShouldNotBeNull();
        files.Own.ShouldBe(["My.Benchmarks.dll", "Both.dll"], ignoreOrder: true);
        files.Tools.ShouldBe(["PerfLab.BenchmarkDriver.dll", "PerfLab.WorkloadKit.dll", "BenchmarkDotNet.dll", "Alone.dll"], ignoreOrder: true);
    }

    private (CompiledProgram Old, CompiledProgram Now) Pair(string old, string now)
    {
        var folder = lab.NewFolder();
        return (CompiledProgram.Make(Path.Combine(folder, "base"), old), CompiledProgram.Make(Path.Combine(folder, "head"), now));
    }
}
