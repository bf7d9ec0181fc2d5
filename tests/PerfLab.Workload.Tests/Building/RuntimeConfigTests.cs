using System.Text.Json.Nodes;
using PerfLab.Building;

namespace PerfLab.Workload.Tests.Building;

/// <summary>Files as a publish leaves them; the real ones are those of RealBenchmarkTests.</summary>
public sealed class RuntimeConfigTests : IDisposable
{
    private const string Driver = "PerfLab.BenchmarkDriver", Ours = """{ "runtimeOptions": { "tfm": "net10.0", "configProperties": { "System.Globalization.Invariant": false, "Ours": 1 } } }""";
    private static readonly string[] Command = ["./" + Driver];

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("perf-lab-runtime-config-");

    [Fact]
    public void the_driver_takes_what_the_project_says_and_keeps_the_rest()
    {
        Write(Driver + ".runtimeconfig.json", Ours);
        Write("My.runtimeconfig.json", """{ "runtimeOptions": { "tfm": "net8.0", "framework": {}, "configProperties": { "System.Globalization.Invariant": true, "System.GC.HeapCount": 3, "Text": "a" } } }""");
        Write("Other.runtimeconfig.json", """{ "runtimeOptions": { "configProperties": { "Other": true } } }"""); // a program that My refers to
        RuntimeConfig.TakeOver(_folder.FullName, "My");

        RuntimeConfig.Of(_folder.FullName, Command).ShouldBe(
            new Dictionary<string, string> { ["System.Globalization.Invariant"] = "true", ["Ours"] = "1", ["System.GC.HeapCount"] = "3", ["Text"] = "a" }, ignoreOrder: true);
        ((string?)JsonNode.Parse(File.ReadAllText(PathOf(Driver + ".runtimeconfig.json")))!["runtimeOptions"]!["tfm"]).ShouldBe("net10.0");
    }

    [Fact]
    public void a_library_says_nothing()
    {
        Write(Driver + ".runtimeconfig.json", Ours);
        RuntimeConfig.TakeOver(_folder.FullName, "My");
        File.ReadAllText(PathOf(Driver + ".runtimeconfig.json")).ShouldBe(Ours);
    }

    [Fact]
    public void a_driver_that_says_nothing_gets_all()
    {
        Write(Driver + ".runtimeconfig.json", """{ "runtimeOptions": { "tfm": "net10.0" } }""");
        Write("My.runtimeconfig.json", """{ "runtimeOptions": { "configProperties": { "My.Switch": true } } }""");
        RuntimeConfig.TakeOver(_folder.FullName, "My");
        RuntimeConfig.Of(_folder.FullName, Command).ShouldBe(new Dictionary<string, string> { ["My.Switch"] = "true" }, ignoreOrder: true);
    }

    [Fact]
    public void app_config_is_found_under_the_name_of_the_program_that_runs()
    {
        Write("My.dll.config", "<configuration />");
        RuntimeConfig.TakeOver(_folder.FullName, "My");
        File.ReadAllText(PathOf(Driver + ".dll.config")).ShouldBe("<configuration />");
    }

    [Theory]
    [InlineData("")]
    [InlineData("[1]")]
    [InlineData("{")]
    [InlineData("""{ "runtimeOptions": 3 }""")]
    [InlineData("""{ "runtimeOptions": { "configProperties": [] } }""")]
    public void a_broken_file_of_bits_from_elsewhere_says_nothing(string text)
    {
        Write(Driver + ".runtimeconfig.json", text);
        RuntimeConfig.Of(_folder.FullName, Command).ShouldBeEmpty();
    }

    [Fact]
    public void nothing_is_read_through_a_link_or_where_there_is_none()
    {
        RuntimeConfig.Of(_folder.FullName, Command).ShouldBeEmpty();
        Write("elsewhere.json", Ours);
        File.CreateSymbolicLink(PathOf(Driver + ".runtimeconfig.json"), PathOf("elsewhere.json"));
        RuntimeConfig.Of(_folder.FullName, Command).ShouldBeEmpty();
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private void Write(string name, string text) => File.WriteAllText(PathOf(name), text);

    private string PathOf(string name) => Path.Combine(_folder.FullName, name);
}
