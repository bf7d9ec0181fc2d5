using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Building.Templates;
using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Programs;

namespace PerfLab.Runner.GitHub;

/// <summary>
/// Writes what a repository needs to answer `/benchmark`: nothing that is there is touched, and nothing is written before everything is
/// known.
/// </summary>
/// <param name="terminal">Where the person stands.</param>
internal sealed class GitHubSetup(Terminal terminal)
{
    private const string Docs = "docs/pull-requests.md";

    /// <param name="named">The project, or a folder or solution with one; null: the only one of the repository that refers to BenchmarkDotNet.</param>
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
        var problems = new List<Problem>();
        var project = named is null ? Only(git, top, terminal.WorkingFolder) : Path.GetRelativePath(
            top, BenchmarkSearch.Meant(Path.GetFullPath(Path.Combine(terminal.WorkingFolder, named)), WorkloadManifest.FileName, problems));
        WrongUseException.ThrowIfAny(problems);
        if (project.StartsWith("../", StringComparison.Ordinal) || !BenchmarkProject.IsProject(project))
        {
            throw Wrong(named ?? project, BenchmarkProject.IsProject(project) ? $"is not in {top}." : "is no project file.",
                "Name the .csproj of your benchmarks.");
        }

        WrongUseException.ThrowIfAny([.. GitHubTemplate.Paths.Where(file => Path.Exists(Path.Combine(top, file))).Select(file =>
            new Problem(file, "is there already, and nothing is overwritten.", InsteadOf(file, project)))]);
        var workload = await BenchmarkProject.ReadAsync(Path.Combine(top, project), new DotnetCli(), problems, cancellationToken);
        WrongUseException.ThrowIfAny(problems);
        Write(top, template.Of(project, workload!.Build.Runtimes[^1]));
        terminal.Say("left for you:");
        var at = new Git(terminal.WorkingFolder).Prefix().Length > 0 ? ":/" : "";    // for git: from the top on
        terminal.Say($"  git add {at}.github {at}{LabConfig.FileName} && git commit -m 'Measure pull requests'");
        terminal.Say("  push it to the default branch: GitHub starts no other; then comment /benchmark on a pull request");
        if (!git.Knows(project))
        {
            terminal.Say($"  look: {project} is not in git yet; only what is pushed is measured");
        }

        foreach (var doubt in LabAddress.Doubts(git, template).Concat(await AskedAsync(git, template, cancellationToken)))
        {
            terminal.Say($"  look: {doubt}");
        }
    }

    /// <summary>Nothing where the repository is not on GitHub, which is said already.</summary>
    private static async Task<IReadOnlyList<string>> AskedAsync(Git git, GitHubTemplate template, CancellationToken cancellationToken) =>
        git.Address(LabAddress.Origin) is { } origin && LabAddress.NameOf(origin) is { } name
            ? await new GitHubSettings(name, template.Lab, new GitHubCli()).DoubtsAsync(git.Branch(), cancellationToken) : [];

    /// <summary>All or none: half of it would be in the way of the next try.</summary>
    private void Write(string top, IReadOnlyList<(string Path, string Text)> files)
    {
        var written = new List<string>();
        foreach (var (file, text) in files.Reverse())    // the workflow, with which GitHub begins, last
        {
            var path = Path.Combine(top, file);
            try
            {
                Directory.CreateDirectory(Path.GetDirectoryName(path)!);
                using var stream = new FileStream(path, FileMode.CreateNew);
                written.Add(path);
                stream.Write(Encoding.UTF8.GetBytes(text));
            }
            catch (Exception denied) when (denied is IOException or UnauthorizedAccessException)
            {
                written.ForEach(File.Delete);
                throw new LabException(
                    $"writing {path}", denied.Message, "give access or free space, then run this again; no file was left", denied);
            }
        }

        foreach (var (file, _) in files)
        {
            terminal.Out.WriteLine(file);
        }
    }

    private static string InsteadOf(string file, string project) => file == LabConfig.FileName
        ? "Move it away, run this again, and put what you had into the new one. "
            + $"By hand: a suite with `workloads: [{GitHubTemplate.InList(project)}]`, and the workflow of {Docs}."
        : $"Move it away, or go on by hand: {Docs}.";

    private static string Only(Git git, string top, string workingFolder)
    {
        var projects = BenchmarkSearch.ProjectsOf(git).Where(file => BenchmarkSearch.RefersToBenchmarkDotNet(Path.Combine(top, file))).ToList();
        return projects switch
        {
            [var only] => only,
            [] => throw Wrong("PROJECT", "no project of this repository refers to BenchmarkDotNet.",
                "Name the project with your benchmarks, or begin with one: ./perf-lab new workload benchmarks/NAME --bdn."),
            _ => throw new WrongUseException([BenchmarkSearch.Several(projects, "PROJECT") with
            {
                Try = "Name one: ./perf-lab init github "
                    + ShellWord.Of(Path.GetRelativePath(workingFolder, Path.Combine(top, projects[0]))),
            }]),
        };
    }

    private static WrongUseException Wrong(string where, string what, string instead) => new([new(where, what, instead)]);
}
