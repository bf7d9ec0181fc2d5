using System.Buffers;
using PerfLab.Core.Model;

namespace PerfLab.Reports.Svg;

/// <summary>Breaks a text into lines that fit: nothing in a picture does so by itself.</summary>
internal static class LineBreaks
{
    /// <summary>Where a name may be broken: after these, or, when there is none, after a dot or a low line. "1." and "7.0" would be read as two numbers.</summary>
    private static readonly SearchValues<char> Joints = SearchValues.Create("-/@:+=,"), WeakJoints = SearchValues.Create("._");

    /// <summary>
    /// Cleaned lines of at most <paramref name="columns"/>, broken at blanks, else after a joint of a name, inside a word only when nothing else is near.
    /// What does not fit on <paramref name="most"/> lines is cut: the whole is in the picture's description.
    /// </summary>
    public static IReadOnlyList<string> Of(string text, int columns, int most)
    {
        var lines = new List<string>();
        var rest = UntrustedText.Line(text, UntrustedText.MaxChars);
        while (rest.Length > 0)
        {
            var end = Fitting(rest, columns);
            if (end < rest.Length && lines.Count == most - 1)
            {
                lines.Add(rest[..Fitting(rest, columns - 1)].TrimEnd() + "…");
                break;
            }

            var cut = end == rest.Length ? end : Break(rest, end);
            lines.Add(rest[..cut].TrimEnd());
            rest = rest[cut..].TrimStart();
        }

        return lines;
    }

    /// <summary>Room that a text takes: East Asian letters and pictographs are as wide as two others.</summary>
    public static int Columns(string line) => line.EnumerateRunes().Sum(Columns);

    private static int Columns(Rune rune) => rune.Value >= 0x1100 ? 2 : 1;

    /// <summary>How much of the text fits on one line, in UTF-16 units; at least one character.</summary>
    private static int Fitting(string text, int columns)
    {
        var (end, used) = (0, 0);
        foreach (var rune in text.EnumerateRunes())
        {
            used += Columns(rune);
            if (used > columns && end > 0)
            {
                break;
            }

            end += rune.Utf16SequenceLength;
        }

        return end;
    }

    /// <summary>The last good place up to <paramref name="end"/>; one in the first third would leave most of the line empty.</summary>
    private static int Break(string text, int end)
    {
        var least = end / 3;
        int[] places = [text.LastIndexOf(' ', end, end - least), text.AsSpan(0, end).LastIndexOfAny(Joints) + 1, text.AsSpan(0, end).LastIndexOfAny(WeakJoints) + 1];
        return Array.Find(places, place => place > least) is > 0 and var place ? place : end;
    }
}
