using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Runner.Tests.Manifests;

/// <summary>The two files that people write, in a folder of their own.</summary>
internal sealed class YamlFiles : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("perf-lab-yaml-").FullName;

    public static string Workload { get; } = Repository.Read("tests/fixtures/formats/workload.yaml");

    public static string Config { get; } = Repository.Read("tests/fixtures/formats/perf-lab.yaml");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    public (Workload? Workload, IReadOnlyList<string> Problems) ReadWorkload(
        string text, string folder = "json-round-trip", bool isNamed = true) =>
        Read(Path.Combine(folder, WorkloadManifest.FileName), text, (at, problems) => WorkloadManifest.Read(at, problems, isNamed));

    public (LabConfig? Config, IReadOnlyList<string> Problems) ReadConfig(string text) => Read(LabConfig.FileName, text, LabConfig.Read);

    public IReadOnlyList<string> Problems(string file, byte[] bytes) =>
        file == WorkloadManifest.FileName ? Read(Path.Combine("json-round-trip", file), bytes, (at, problems) => WorkloadManifest.Read(
            at, problems)).Problems : Read(file, bytes, LabConfig.Read).Problems;

    private (T? Value, IReadOnlyList<string> Problems) Read<T>(string file, string text, Func<string, ICollection<Problem>, T?> read) =>
        Read(file, System.Text.Encoding.UTF8.GetBytes(text), read);

    private (T? Value, IReadOnlyList<string> Problems) Read<T>(string file, byte[] bytes, Func<string, ICollection<Problem>, T?> read)
    {
        var path = Path.Combine(_root, file);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, bytes);
        var problems = new List<Problem>();
        var value = read(Path.GetDirectoryName(path)!, problems);
        (value is null).ShouldBe(problems.Count > 0);
        problems.ShouldAllBe(problem => problem.Where.StartsWith(path, StringComparison.Ordinal));
        return (value, [.. problems.Select(problem => problem.ToString()[path.Length..].TrimStart(',', ' ', ':'))]);
    }
}
