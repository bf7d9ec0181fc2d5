namespace PerfLab.Launching.Results;

/// <summary>
/// What the JSON parser leaves for later: half surrogates in escapes, and numbers like 1e999. Found here, so that no later step, which
/// writes the same text into the journal, can fail over it.
/// </summary>
internal static class JsonText
{
    /// <summary>The first value that is no text or no finite number, as a sentence; null when all are.</summary>
    public static string? Problem(JsonElement element, string path = "")
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.String:
                return IsText(element.GetString) ? null : $"{Name(path)} has half a surrogate pair, expected text";
            case JsonValueKind.Number:
                return element.TryGetDouble(out var value) && double.IsFinite(value)
                    ? null
                    : $"{Name(path)} is {Quote.Of(element.GetRawText())}, expected a finite number";
            case JsonValueKind.Array:
                return element.EnumerateArray().Select((item, i) => Problem(item, string.Create(CultureInfo.InvariantCulture, $"{path}[{i}]")))
                    .FirstOrDefault(problem => problem is not null);
            case JsonValueKind.Object:
                return element.EnumerateObject().Select(member => MemberProblem(member, path)).FirstOrDefault(problem => problem is not null);
            default:
                return null;
        }
    }

    private static string? MemberProblem(JsonProperty member, string path) =>
        IsText(() => member.Name)
            ? Problem(member.Value, path.Length == 0 ? member.Name : $"{path}.{member.Name}")
            : $"{Name(path)} has a member whose name has half a surrogate pair, expected text";

    private static string Name(string path) => path.Length == 0 ? "the result" : Quote.Of(path);

    private static bool IsText(Func<string?> read)
    {
        try
        {
            _ = read();
            return true;
        }
        catch (InvalidOperationException)
        {
            return false;
        }
    }
}

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
