using PerfLab.Core.Files;

namespace PerfLab.Core.Planning.Requests;

/// <summary>
/// A command line as words, without a shell: blanks separate, quotes and backslashes work as in POSIX shells, and nothing is expanded.
/// `hyperfine -N` splits in the same way, so that a command can be taken from there.
/// </summary>
public static class CommandWords
{
    private static readonly string[] Operators = ["|", "||", "&", "&&", ";", "<", ">", ">>", "2>", "2>&1", "&>"];

    /// <summary>The words, or null with a problem added.</summary>
    /// <param name="option">For the problem.</param>
    /// <param name="text">As typed.</param>
    /// <param name="problems">Grows.</param>
    public static IReadOnlyList<string>? Split(string option, string text, ICollection<Problem> problems)
    {
        var words = new List<string>();
        var word = new StringBuilder();
        var (isWord, isQuoted, at) = (false, false, 0);
        while (at < text.Length)
        {
            var character = text[at++];
            switch (character)
            {
                case ' ' or '\t' or '\n' when isWord:
                    if (!isQuoted && Operators.Contains(word.ToString(), StringComparer.Ordinal))
                    {
                        problems.Add(NeedsShell(option, word.ToString()));
                        return null;
                    }

                    words.Add(word.ToString());
                    (isWord, isQuoted) = (false, false);
                    word.Clear();
                    break;
                case ' ' or '\t' or '\n':
                    break;
                case '\'' or '"':
                    (isWord, isQuoted) = (true, true);
                    if (!Quoted(text, character, ref at, word))
                    {
                        problems.Add(new(option, $"a quote ({character}) is not closed: {text}",
                            "Close it, or write a backslash before it."));
                        return null;
                    }

                    break;
                case '\\' when at == text.Length:
                    problems.Add(new(option, $"ends with a backslash: {text}", "Write it twice if it is meant."));
                    return null;
                case '\\':
                    (isWord, isQuoted) = (true, true);
                    word.Append(text[at++]);
                    break;
                default:
                    isWord = true;
                    word.Append(character);
                    break;
            }
        }

        if (isWord && !isQuoted && Operators.Contains(word.ToString(), StringComparer.Ordinal))
        {
            problems.Add(NeedsShell(option, word.ToString()));
            return null;
        }

        if (isWord)
        {
            words.Add(word.ToString());
        }

        if (words is [] or ["", ..])
        {
            problems.Add(new(option, "names no program.", "Example: --command './new input.txt' --against './old input.txt'"));
            return null;
        }

        return words;
    }

    /// <summary>
    /// Takes what is up to the closing quote. In double quotes a backslash is one unless it stands before a character that is special
    /// there.
    /// </summary>
    private static bool Quoted(string text, char quote, ref int at, StringBuilder word)
    {
        for (; at < text.Length; at++)
        {
            if (text[at] == quote)
            {
                at++;
                return true;
            }

            if (quote == '"' && text[at] == '\\' && at + 1 < text.Length && text[at + 1] is '$' or '`' or '"' or '\\')
            {
                at++;
            }

            word.Append(text[at]);
        }

        return false;
    }

    private static Problem NeedsShell(string option, string word) => new(
        option, $"'{word}' is for a shell, and none is started.",
            "Write sh -c '…' if a shell is what you want to measure with it, or quote the word if the program takes it.");
}
