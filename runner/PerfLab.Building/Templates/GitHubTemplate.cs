using System.Text.Encodings.Web;
using System.Text.RegularExpressions;
using PerfLab.Building.Manifests;
using PerfLab.Building.Tools;
using PerfLab.Core.Model;

namespace PerfLab.Building.Templates;

/// <summary>The files by which a repository answers `/benchmark` on its pull requests.</summary>
/// <param name="Lab">Where perf-lab's workflows are: "owner/name".</param>
/// <param name="Commit">Of it, 40 hexadecimal digits.</param>
public sealed partial record GitHubTemplate(string Lab, string Commit)
{
    public const string Workflow = ".github/workflows/benchmark.yml";

    private static readonly JsonSerializerOptions Readable = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>The folder of the workload that lists a project's benchmarks.</summary>
    public static string WorkloadFolder(string project) => "benchmarks/" + NameForm.Derive(Path.GetFileNameWithoutExtension(project));

    /// <summary>The paths of the files in the repository: workflow, configuration, manifest.</summary>
    public static IReadOnlyList<string> Paths(string project) =>
        [Workflow, LabConfig.FileName, $"{WorkloadFolder(project)}/{WorkloadManifest.FileName}"];

    /// <summary>The files by their path in the repository.</summary>
    /// <param name="project">Path of the project in the repository, with slashes.</param>
    /// <param name="workload">With all of its benchmarks.</param>
    public IReadOnlyList<(string Path, string Text)> Of(string project, Workload workload)
    {
        var folder = WorkloadFolder(project);
        var benchmarks = workload.Parameters[0].Values.Select(name => JsonSerializer.Serialize(name, Readable)).ToList();
        var values = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["$LAB"] = Lab,
            ["$COMMIT"] = Commit,
            ["$NAME"] = Path.GetFileName(folder),
            ["$RUNTIMES"] = string.Join(", ", workload.Build.Runtimes),
            ["$RUNTIME"] = workload.Build.Runtimes[^1],
            ["$FILE"] = Path.GetFileName(project),
            ["$PROJECT"] = JsonSerializer.Serialize(Path.GetRelativePath("/" + folder, "/" + project), Readable),
            ["$FIRST"] = benchmarks[0],
            ["$BENCHMARKS"] = string.Join('\n', benchmarks.Select(name => $"      - {name}")),
        };
        string[] templates = ["github-workflow.txt", "github-config.txt", "github-manifest.txt"];
        return [.. Paths(project).Zip(templates, (path, name) => (path, Filled(name)))];

        string Filled(string name) => Place().Replace(EmbeddedText.Read(name), match => values[match.Value]);
    }

    [GeneratedRegex(@"\$[A-Z]+", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Place();
}
