using System.Text.RegularExpressions;

namespace PerfLab.Core.Model;

/// <summary>A word of a command that people paste into a shell.</summary>
public static partial class ShellWord
{
    /// <summary>
    /// The text itself, or in quotes when a shell would read more into it; DIR when it can't be shown as it is on one line.
    /// </summary>
    public static string Of(string path) =>
        IsPlain(path) ? path
        : UntrustedText.Line(path, UntrustedText.MaxChars) == path ? Quoted(path)
        : "DIR";

    /// <summary>In single quotes, whatever it is.</summary>
    public static string Quoted(string text) => $"'{text.Replace("'", @"'\''")}'";

    /// <summary>Nothing that a shell would read as more than a word.</summary>
    public static bool IsPlain(string text) => Plain().IsMatch(text);

    [GeneratedRegex(@"^[A-Za-z0-9_@%+=:,./-]+\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Plain();
}
