namespace PerfLab.Runner.Terminals;

/// <summary>Text for an output whose encoding nobody knows.</summary>
internal static class Ascii
{
    /// <summary>Our own signs get their ASCII form ("us" for "µs"), anything else is shown as \u{e9}.</summary>
    public static string Of(string text)
    {
        var ascii = new StringBuilder(text.Length);
        foreach (var rune in text.EnumerateRunes())
        {
            ascii.Append(rune.Value switch
            {
                <= 0x7F => rune.ToString(),
                'µ' => "u",
                '…' => "...",
                '¦' => "|",
                _ => Invariant($"\\u{{{rune.Value:x}}}"),
            });
        }

        return ascii.ToString();
    }
}
