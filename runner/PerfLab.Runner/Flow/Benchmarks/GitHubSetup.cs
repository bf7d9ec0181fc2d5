using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Building.Templates;
using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Runner.GitHub;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Flow.Benchmarks;

/// <summary>
/// Writes what a repository needs to answer `/benchmark`: nothing that is there is touched, and nothing is written before everything is
/// known.
/// </summary>
/// <param name="terminal">Where the person stands.</param>
internal sealed class GitHubSetup(Terminal terminal)
{
    private const string Docs = "docs/pull-requests.md";

    /// <param name="named">The project; null: the only one of the repository that refers to BenchmarkDotNet.</param>
    /// <param name="from">"owner/name@commit" of perf-lab; null: this checkout of perf-lab says.</param>
    /// <param name="cancellationToken">Ends the look at the project.</param>
    public async Task RunAsync(string? named, string? from, CancellationToken cancellationToken)
    {
        var (top, says) = new Git(terminal.WorkingFolder).Top();
        if (top is null)
        {
            throw Wrong("init github", $"{terminal.WorkingFolder} is in no git repository: {says}",
                "Stand in the repository whose pull requests you want measured.");
        }

        var git = new Git(top);
        var template = from is null ? LabAddress.OfThisCheckout() : LabAddress.Given(from);
        var project = named is null ? Only(git, top)
            : Path.GetRelativePath(top, Path.GetFullPath(Path.Combine(terminal.WorkingFolder, named)));
        if (project.StartsWith("../", StringComparison.Ordinal) || !BenchmarkProject.IsProject(project))
        {
            throw Wrong(named ?? project, BenchmarkProject.IsProject(project) ? $"is not in {top}." : "is no project file.",
                "Name the .csproj of your benchmarks.");
        }

        WrongUseException.ThrowIfAny([.. GitHubTemplate.Paths.Where(file => Path.Exists(Path.Combine(top, file))).Select(file =>
            new Problem(file, "is there already, and nothing is overwritten.", InsteadOf(file, project)))]);
        var problems = new List<Problem>();
        var workload = await BenchmarkProject.ReadAsync(Path.Combine(top, project), new DotnetCli(), problems, cancellationToken);
        WrongUseException.ThrowIfAny(problems);
        foreach (var (file, text) in template.Of(project, workload!.Build.Runtimes[^1]))
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.Combine(top, file))!);
            await File.WriteAllTextAsync(Path.Combine(top, file), text, cancellationToken);
            terminal.Out.WriteLine(file);
        }

        terminal.Say("left for you:");
        terminal.Say($"  git add .github {LabConfig.FileName} && git commit -m 'Measure pull requests'");
        terminal.Say("  push it to the default branch: GitHub starts no other; then comment /benchmark on a pull request");
        foreach (var doubt in LabAddress.Doubts(git, template).Concat(await AskedAsync(git, template, cancellationToken)))
        {
            terminal.Say($"  look: {doubt}");
        }
    }

    /// <summary>Nothing where the repository is not on GitHub, which is said already.</summary>
    private static async Task<IReadOnlyList<string>> AskedAsync(Git git, GitHubTemplate template, CancellationToken cancellationToken) =>
        git.Address(LabAddress.Origin) is { } origin && LabAddress.NameOf(origin) is { } name
            ? await new GitHubSettings(name, template.Lab, new GitHubCli()).DoubtsAsync(git.Branch(), cancellationToken) : [];

    private static string InsteadOf(string file, string project) => file == LabConfig.FileName
        ? $"Name the project in a suite of it, `workloads: [{project}]`: {Docs}." : $"Move it away, or go on by hand: {Docs}.";

    private static string Only(Git git, string top)
    {
        var projects = BenchmarkSearch.ProjectsOf(git).Where(file => BenchmarkSearch.RefersToBenchmarkDotNet(Path.Combine(top, file))).ToList();
        return projects switch
        {
            [var only] => only,
            [] => throw Wrong("PROJECT", "no project of this repository refers to BenchmarkDotNet.",
                "Name the project with your benchmarks, or begin with one: ./perf-lab new workload benchmarks/NAME --bdn."),
            _ => throw new WrongUseException([BenchmarkSearch.Several(projects, "PROJECT") with { Try = $"Name one: ./perf-lab init github {ShellWord.Of(projects[0])}" }]),
        };
    }

    private static WrongUseException Wrong(string where, string what, string instead) => new([new(where, what, instead)]);
}
