using System.Text.RegularExpressions;

namespace PerfLab.Core.Model;

/// <summary>A size of memory as people write it: "512MiB", "2GiB".</summary>
public static partial class MemoryText
{
    public const string Pattern = $"^{Shape}$";

    public const string InWords = "a size such as 512MiB or 2GiB";

    /// <summary>Bytes, or null for anything else.</summary>
    public static long? Bytes(string text) => Form().IsMatch(text)
        ? long.Parse(text.AsSpan(0, text.Length - 3), NumberStyles.None, CultureInfo.InvariantCulture)
            << (text.EndsWith("GiB", StringComparison.Ordinal) ? 30 : 20)
        : null;

    /// <summary>The shortest text of whole mebibytes: "1GiB" for 1024 of them.</summary>
    public static string Of(long bytes) =>
        bytes % (1L << 30) == 0 && bytes > 0 ? Invariant($"{bytes >> 30}GiB") : Invariant($"{bytes >> 20}MiB");

    private const string Shape = "[1-9][0-9]{0,6}(MiB|GiB)";

    [GeneratedRegex($@"^{Shape}\z", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex Form();
}
