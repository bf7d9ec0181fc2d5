namespace PerfLab.Core.Reporting.Curves;

/// <summary>A picture's name is also a file's, and its parts come from a journal: only a-z, 0-9 and - get in.</summary>
internal static class PictureName
{
    public static string Of(params IEnumerable<string> parts) => string.Join('-', parts
        .Select(part => new string([.. part.ToLowerInvariant().Select(letter => char.IsAsciiLetterOrDigit(letter) ? letter : '-').Take(60)]).Trim('-'))
        .Where(part => part.Length > 0));
}
