using System.Text.RegularExpressions;

namespace PerfLab.Core.Model;

/// <summary>
/// The one door through which text that we did not write (a crashed launch's last lines, names and units from a journal) gets into a
/// report. tests/fixtures/untrusted-text.json is the table of what must come out; the GitHub part proves its own version by the same table.
/// </summary>
public static partial class UntrustedText
{
    /// <summary>Longest text shown, in UTF-16 units.</summary>
    public const int MaxChars = 2000;

    /// <summary>Longest name shown inside a line or a table cell.</summary>
    public const int MaxNameChars = 200;

    private const string Cut = "…";

    /// <summary>
    /// Lines of visible text, at most <see cref="MaxChars"/>: no terminal escapes, control, bidi or zero-width characters, no half
    /// surrogate pairs. HTML comments (our own comment's marker is one) and the log commands of GitHub's runner are broken up.
    /// </summary>
    public static string Clean(string text)
    {
        var visible = new StringBuilder(Math.Min(text.Length, 4 * MaxChars));
        foreach (var rune in Escapes().Replace(text, "").ReplaceLineEndings("\n").EnumerateRunes())
        {
            if (rune.Value is '\n' or '\t' || IsVisible(rune))
            {
                visible.Append(rune.ToString());
            }
        }

        // After the invisible characters have gone, or one of them in the middle would hide the sequence from us.
        visible.Replace("<!--", "<! --").Replace("##[", "## [");
        return Shorten(visible.ToString().Trim('\n'), MaxChars);
    }

    /// <summary>The same on one line, at most <see cref="MaxNameChars"/>: names, and sentences that quote a journal.</summary>
    public static string Line(string text, int maxChars = MaxNameChars) => Shorten(Spaces().Replace(Clean(text), " ").Trim(' '), maxChars);

    /// <summary>A fenced block whose fence is longer than any run of back-ticks inside: nothing in it is Markdown.</summary>
    public static string Fence(string text)
    {
        var clean = Clean(text);
        var longest = BackTicks().Matches(clean).Select(run => run.Length).DefaultIfEmpty(0).Max();
        var fence = new string('`', Math.Max(3, longest + 1));
        return $"{fence}text\n{clean}\n{fence}";
    }

    /// <summary>
    /// A code span that also holds inside a table: GitHub makes no mention, link, image, HTML or closing keyword of it. A back-tick would
    /// end the span and a bar the table cell, so they are shown as ' and ¦.
    /// </summary>
    public static string Code(string text, int maxChars = MaxNameChars)
    {
        var line = Line(text, maxChars).Replace('`', '\'').Replace('|', '¦');
        return line.Length == 0 ? "`(empty)`" : $"`{line}`";
    }

    private static bool IsVisible(Rune rune) => Rune.GetUnicodeCategory(rune) switch
    {
        UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.Surrogate or UnicodeCategory.PrivateUse
            or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator or UnicodeCategory.OtherNotAssigned => false,
        // Letters and marks by category, nothing to see: Hangul fillers, grapheme joiner, variation selectors. U+FFFD is what half a pair became.
        _ => rune.Value is not (0x034F or 0x115F or 0x1160 or 0x17B4 or 0x17B5 or 0x3164 or 0xFFA0 or 0xFFFD)
            and not (>= 0x180B and <= 0x180F) and not (>= 0xFE00 and <= 0xFE0F) and not (>= 0xE0100 and <= 0xE01EF),
    };

    private static string Shorten(string text, int maxChars)
    {
        if (text.Length <= maxChars)
        {
            return text;
        }

        var end = maxChars - Cut.Length;
        return text[..(char.IsHighSurrogate(text[end - 1]) ? end - 1 : end)] + Cut;
    }

    // ECMA-48: CSI sequences; strings (OSC, DCS, PM, APC, SOS) up to BEL or ST; the two-character escapes. An unfinished one loses its start only.
    // No part may run over another start: that keeps the time linear on hostile input. The limit is wall time, and a busy machine is no attack: ten seconds.
    [GeneratedRegex(@"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]", RegexOptions.CultureInvariant, 10_000)]
    private static partial Regex Escapes();

    [GeneratedRegex(@"\s+", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Spaces();

    [GeneratedRegex("`+", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex BackTicks();
}
