using System.Text.Encodings.Web;
using System.Text.RegularExpressions;
using PerfLab.Building.Manifests;
using PerfLab.Building.Tools;

namespace PerfLab.Building.Templates;

/// <summary>The files by which a repository answers `/benchmark` on its pull requests.</summary>
/// <param name="Lab">Where perf-lab's workflows are: "owner/name".</param>
/// <param name="Commit">Of it, 40 hexadecimal digits.</param>
public sealed partial record GitHubTemplate(string Lab, string Commit)
{
    public const string Workflow = ".github/workflows/benchmark.yml";

    private static readonly JsonSerializerOptions Readable = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>The paths of the files in the repository: workflow, configuration.</summary>
    public static IReadOnlyList<string> Paths { get; } = [Workflow, LabConfig.FileName];

    /// <summary>The files by their path in the repository.</summary>
    /// <param name="project">Path of the project in the repository, with slashes.</param>
    /// <param name="runtime">Target framework that a bare /benchmark measures.</param>
    public IReadOnlyList<(string Path, string Text)> Of(string project, string runtime)
    {
        var values = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["$LAB"] = Lab,
            ["$COMMIT"] = Commit,
            ["$RUNTIME"] = runtime,
            ["$PROJECT"] = InList(project),
        };
        string[] templates = ["github-workflow.txt", "github-config.txt"];
        return [.. Paths.Zip(templates, (path, name) => (path, Filled(name)))];

        string Filled(string name) => Place().Replace(EmbeddedText.Read(name), match => values[match.Value]);
    }

    /// <summary>A path as it stands in a list of YAML between brackets.</summary>
    public static string InList(string path) => Plain().IsMatch(path) ? path : JsonSerializer.Serialize(path, Readable);

    /// <summary>A path that YAML takes as it is, in a list.</summary>
    [GeneratedRegex(@"\A[A-Za-z][A-Za-z0-9._/-]*\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Plain();

    [GeneratedRegex(@"\$[A-Z]+", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Place();
}
