using System.Text.RegularExpressions;

namespace PerfLab.Reports.Text;

/// <summary>
/// Names for a sentence that stands as a heading, a check's title or a page's title, where nothing can be put into code. Whoever wrote the
/// name may be hostile: it is said only where it means nothing but itself, to Markdown, HTML, GitHub and a terminal.
/// </summary>
internal static partial class PlainName
{
    private const int Longest = 60;
    private const string Between = " / ";

    /// <summary>The name, or what stands before its parameters; null where both could be more than text, or are too long.</summary>
    public static string? Of(string name) => new[] { name, name.Split('(')[0].TrimEnd() }.FirstOrDefault(part =>
        part.Length <= Longest && Harmless().IsMatch(part) && !Linked().IsMatch(part));

    /// <summary>
    /// "Json.Parse", "primes (limit 150)": what tells the row from the others, of its label. Null where that can't be said.
    /// </summary>
    /// <param name="label">As <see cref="CellLabels"/> makes it.</param>
    /// <param name="labels">Those of all rows, this one too.</param>
    public static string? Among(string label, IReadOnlyCollection<string> labels)
    {
        var parts = label.Split(Between);
        var alike = labels.Select(other => other.Split(Between)).Where(other => other[0] == parts[0]).ToList();
        int With(string part) => alike.Count(other => other.Contains(part, StringComparer.Ordinal));
        var telling = parts.Skip(1).Where(part => With(part) < alike.Count).ToList();
        // One part alone does where no other row has it.
        var own = telling.Find(part => With(part) == 1);
        var rest = string.Join(", ", own is null ? telling : [own]);
        return (rest.Length > 0 ? Of($"{parts[0]} ({rest})") : null) ?? Of(parts[0]);
    }

    // An underscore stands between letters or digits only: else it is emphasis.
    [GeneratedRegex(@"^[A-Za-z0-9](?:[A-Za-z0-9 :,().-]|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9]))*\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Harmless();

    // What GitHub links by itself: an address, an issue, a commit.
    [GeneratedRegex(@"www\.|\bgh-[0-9]|\b(?=[0-9]*[a-f])[0-9a-f]{7,40}\b", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Linked();
}
