using PerfLab.Core.Model;

namespace PerfLab.Reports;

/// <summary>
/// A name in a narrow column: code spans with places between them where a phone may break the line. Taken together they are the name, to
/// the letter.
/// </summary>
internal static class MarkdownName
{
    /// <summary>Where a line may be broken, and nothing else.</summary>
    private const string Break = "<wbr>";

    /// <summary>As many letters of code as a column of a phone has.</summary>
    private const int Widest = 15;

    /// <summary>Of a longer name the rest is in the details.</summary>
    private const int Longest = 120;

    public static string Of(string name)
    {
        // Through the one door first: what is cut into pieces has nothing left that could hide in one of them.
        var shown = UntrustedText.Code(name, Longest)[1..^1];
        return string.Concat(Pieces(shown).Select((piece, index) => $"{(index > 0 ? Break : "")}`{piece}`"));
    }

    private static IEnumerable<string> Pieces(string name)
    {
        var start = 0;
        while (LongWord(name, start) is var (from, to))
        {
            var end = Place(name, from, Math.Min(from + Widest, to));
            // A span that begins and ends with a blank would lose both.
            yield return name[start..end];
            start = end;
        }

        yield return name[start..];
    }

    /// <summary>The first word that is too long for a line; null when there is none.</summary>
    private static (int From, int To)? LongWord(string name, int start)
    {
        for (var from = start; from < name.Length;)
        {
            var to = name.IndexOf(' ', from) is >= 0 and var blank ? blank : name.Length;
            if (to - from > Widest)
            {
                return (from, to);
            }

            from = to + 1;
        }

        return null;
    }

    /// <summary>Behind the last dot, before the last hump or bracket; where there is none, in the middle of the word.</summary>
    private static int Place(string name, int from, int most)
    {
        for (var place = most; place > from + 3; place--)
        {
            if (name[place - 1] is '.' or '_' or '-' or ',' or '/' || name[place] is '('
                || (char.IsUpper(name[place]) && char.IsLower(name[place - 1])))
            {
                return place;
            }
        }

        return char.IsHighSurrogate(name[most - 1]) ? most - 1 : most;
    }
}
