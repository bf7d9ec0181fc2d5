using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Programs;
using PerfLab.Runner.GitHub;

namespace PerfLab.Runner.Commands;

/// <summary>`init github`: the files by which a repository answers `/benchmark`.</summary>
internal static class InitCommand
{
    public static Command Create(Terminal terminal)
    {
        var project = new Argument<string?>("project")
        {
            Description = "The project with your benchmarks, or the folder or solution that holds it; left out: the only one that refers to BenchmarkDotNet.",
            Arity = ArgumentArity.ZeroOrOne,
            HelpName = "PROJECT.csproj",
        };
        var from = new Option<string?>("--from")
        {
            Description = "Whose workflows to call; left out: those of this checkout of perf-lab.",
            HelpName = "OWNER/NAME@COMMIT",
        };
        var github = Examples.Command(
            "github",
            "Write what a repository needs to answer /benchmark on its pull requests: a workflow, and perf-lab.yaml with your project. "
            + "Nothing is overwritten.",
            ["./perf-lab init github", "./perf-lab init github bench/My.Benchmarks.csproj"]).With(project, from);
        github.SetAction(async (parsed, cancellationToken) =>
        {
            var setup = new GitHubSetup(terminal);
            await setup.RunAsync(parsed.GetValue(project), parsed.GetValue(from), cancellationToken);
            return ExitCode.Done;
        });
        var command = Examples.Command("init", "Set a repository up.", ["./perf-lab init github"]);
        command.Add(github);
        return command;
    }
}
