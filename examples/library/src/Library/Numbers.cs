using System.Globalization;

namespace Library;

/// <summary>What a pull request would change.</summary>
public static class Numbers
{
    /// <summary>Sum of a comma list.</summary>
    public static long Sum(string list) => list.Split(',').Sum(number => long.Parse(number, NumberStyles.AllowLeadingWhite, CultureInfo.InvariantCulture));
}
