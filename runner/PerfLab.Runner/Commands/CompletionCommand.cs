using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Programs;

namespace PerfLab.Runner.Commands;

/// <summary>`completion`: a script that lets a shell ask this program what may come next.</summary>
internal static class CompletionCommand
{
    // What the program answers when nothing can come next is nothing; the shells then offer files.
    private const string Bash = """
        _perf_lab() {
          local IFS=$'\n'
          COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" "[suggest:$COMP_POINT]" "$COMP_LINE" 2>/dev/null)" -- "${COMP_WORDS[COMP_CWORD]}"))
        }
        complete -o default -F _perf_lab perf-lab
        """;

    private const string Zsh = """
        _perf_lab() {
          local -a found
          found=("${(@f)$("${(Q)words[1]}" "[suggest:$CURSOR]" "$BUFFER" 2>/dev/null)}")
          [[ -n $found ]] && compadd -a found || _files
        }
        compdef _perf_lab perf-lab
        """;

    private const string Fish = """
        complete -c perf-lab -a '(set -l line (commandline -p); eval (commandline -po)[1] "[suggest:"(string length -- "$line")"]" (string escape -- "$line") 2>/dev/null)'
        """;

    private static readonly Dictionary<string, string> Scripts = new(StringComparer.Ordinal) { ["bash"] = Bash, ["zsh"] = Zsh, ["fish"] = Fish };

    public static Command Create(Terminal terminal)
    {
        var shell = new Argument<string>("shell") { Description = "bash, zsh or fish." };
        shell.AcceptOnlyFromAmong([.. Scripts.Keys]);
        var command = Examples.Command(
            "completion", "Print the script that completes commands, options and values in a shell.",
            ["./perf-lab completion bash >> ~/.bashrc", "./perf-lab completion zsh >> ~/.zshrc", "./perf-lab completion fish > ~/.config/fish/completions/perf-lab.fish"]).With(shell);
        command.SetAction(parsed =>
        {
            terminal.Out.WriteLine(Scripts[parsed.GetValue(shell)!]);
            return ExitCode.Done;
        });
        return command;
    }
}
