namespace PerfLab.Launching.Docker.Engine;

/// <summary>
/// The day on which a session last used an image. The engine does not know it, so it is kept there as a tag: it goes with the image, and
/// all checkouts that share the engine see it, which a file in one of them would not give.
/// </summary>
internal static class LastUse
{
    /// <summary>An image that no session has used for so long is removed at the start of the next one. Making it again takes seconds.</summary>
    public static readonly TimeSpan Kept = TimeSpan.FromDays(14);

    public const string Repository = "perf-lab/used";

    private const string Day = "yyyyMMdd";
    private const int IdLength = 16;

    /// <summary>What says that the image was used on this day: "20261121-0123456789abcdef" (a tag names one image, so its id is in it).</summary>
    public static string Tag(string imageId, DateTimeOffset now) =>
        $"{now.UtcDateTime.ToString(Day, CultureInfo.InvariantCulture)}-{string.Concat(imageId.Skip(imageId.IndexOf(':') + 1).Take(IdLength))}";

    /// <summary>The tags of an image that say so, with their repository.</summary>
    public static IEnumerable<string> TagsOf(ImageSummary image) => image.Tags.Where(tag => tag.StartsWith(Repository + ":", StringComparison.Ordinal));

    /// <summary>The last day of use; null for an image that no session has marked: that one is left to `perf-lab clean`.</summary>
    public static DateTimeOffset? Of(ImageSummary image) => TagsOf(image)
        .Select(tag => DateTimeOffset.TryParseExact(tag[(Repository.Length + 1)..].Split('-')[0], Day, CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal, out var day) ? day : (DateTimeOffset?)null).Max();

    /// <summary>True when a session has marked it and none has used it since.</summary>
    public static bool IsOver(ImageSummary image, DateTimeOffset now) => now - Of(image) > Kept;
}
