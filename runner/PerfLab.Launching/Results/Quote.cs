namespace PerfLab.Launching.Results;

/// <summary>Hostile text inside a sentence: short, one line, nothing that a terminal acts on.</summary>
public static class Quote
{
    public static string Of(string text, int most = 60)
    {
        var quoted = new StringBuilder();
        foreach (var rune in text.EnumerateRunes())
        {
            if (quoted.Length >= most)
            {
                return quoted.Append('…').ToString();
            }

            var plain = Rune.GetUnicodeCategory(rune) is not (UnicodeCategory.Control or UnicodeCategory.Format
                or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator or UnicodeCategory.PrivateUse);
            quoted.Append(plain ? rune.ToString() : $"\\u{rune.Value:x4}");
        }

        return quoted.ToString();
    }
}
