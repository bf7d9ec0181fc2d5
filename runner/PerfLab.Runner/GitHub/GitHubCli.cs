using System.ComponentModel;
using System.Diagnostics;

namespace PerfLab.Runner.GitHub;

/// <summary>GitHub's own program, `gh`, with the rights of whoever is logged in there.</summary>
/// <param name="program">A path, or a name that is looked for on PATH.</param>
internal sealed class GitHubCli(string program = "gh")
{
    /// <summary>"The command requires authentication": https://cli.github.com/manual/gh_help_exit-codes.</summary>
    public const int NotLoggedIn = 4;

    /// <exception cref="Win32Exception">It can't be started.</exception>
    public async Task<(int Code, string Output, string Error)> AskAsync(string[] words, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo(program, words)
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["GH_PROMPT_DISABLED"] = "1";
        start.Environment["NO_COLOR"] = "1";
        using var process = Process.Start(start)!;
        try
        {
            process.StandardInput.Close();
            var error = process.StandardError.ReadToEndAsync(cancellationToken);
            var output = await process.StandardOutput.ReadToEndAsync(cancellationToken);
            await process.WaitForExitAsync(cancellationToken);
            return (process.ExitCode, output, await error);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            throw;
        }
    }

    /// <summary>Where it says what is wrong.</summary>
    public static string LastLine(string text) =>
        text.TrimEnd() is { Length: > 0 } all ? all[(all.LastIndexOf('\n') + 1)..] : "it said nothing";
}
