using System.Diagnostics;
using PerfLab.Runner.Commands;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>The scripts in the shells themselves, asking the real program.</summary>
public sealed class CompletionTests : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Theory]
    [InlineData("./perf-lab run --pg", "--pgo")]
    [InlineData("./perf-lab run beh", "behaving")]
    [InlineData("./perf-lab run behaving --executor d", "docker")]
    [InlineData("./perf-lab doc", "doctor")]
    [InlineData("./perf-lab lab st", "start status stop")]
    public async Task the_shells_complete_what_the_program_knows(string line, string expected)
    {
        var asked = 0;
        foreach (var (shell, ask) in new[] { ("bash", Bash(line)), ("zsh", Zsh(line)), ("fish", $"complete -C '{line}'") })
        {
            if (!IsInstalled(shell))
            {
                TestContext.Current.SendDiagnosticMessage($"{shell} is not installed");
                continue;
            }

            asked++;
            var (_, script, _) = await _lab.RunAsync("completion " + shell);
            var answer = await AskAsync(shell, script + "\n" + ask);
            var words = answer.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(word => word.Split('\t')[0].Trim());
            string.Join(' ', words.Order(StringComparer.Ordinal)).ShouldBe(expected, $"{shell}: {answer}");
        }

        asked.ShouldBeGreaterThan(0);
    }

    // What the shell does when somebody presses the tabulator at the end of the line.
    private static string Bash(string line) =>
        $"COMP_LINE='{line}' COMP_POINT={line.Length} COMP_WORDS=({line}) COMP_CWORD={line.Split(' ').Length - 1}; _perf_lab; printf '%s\\n' \"${{COMPREPLY[@]}}\"";

    // Outside of its line editor zsh can't complete: the two commands that the script calls there are played.
    private static string Zsh(string line) =>
        $"compadd() {{ print -l -- ${{(M)found:#{line.Split(' ')[^1]}*}} }}; words=({line}) BUFFER='{line}' CURSOR={line.Length}; _perf_lab";

    private async Task<string> AskAsync(string shell, string script)
    {
        await File.WriteAllTextAsync(Path.Combine(_lab.Root, "perf-lab"), $"#!/bin/sh\nexec dotnet exec '{typeof(CommandLine).Assembly.Location}' \"$@\"\n");
        Executable.Make(Path.Combine(_lab.Root, "perf-lab"));
        var file = Path.Combine(_lab.Root, "ask." + shell);
        await File.WriteAllTextAsync(file, shell == "zsh" ? "compdef() { }\n" + script : script);
        var start = new ProcessStartInfo(shell, file) { WorkingDirectory = _lab.Root, RedirectStandardOutput = true, UseShellExecute = false };
        start.Environment["PERF_LAB_ROOT"] = start.Environment["HOME"] = _lab.Root;
        using var process = Process.Start(start)!;
        return await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
    }

    private static bool IsInstalled(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "").Split(':').Any(folder => File.Exists(Path.Combine(folder, program)));
}
