namespace PerfLab.Core.Model;

/// <summary>Which target framework is compiled for a runtime.</summary>
public static class TargetFrameworks
{
    /// <summary>The highest of <paramref name="claimed"/> that <paramref name="release"/> can run, or null when there is none.</summary>
    public static string? Highest(IEnumerable<string> claimed, string release) =>
        claimed.Where(target => Number(target) <= Number(release)).MaxBy(Number);

    public static string? Lowest(IEnumerable<string> claimed) => claimed.MinBy(Number);

    /// <summary>"netcoreapp3.1" -> 3.1, "net10.0" -> 10.0; not a number for anything else.</summary>
    public static double Number(string target) =>
        double.TryParse(
            target.Replace("netcoreapp", "").Replace("net", ""),
            NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number) ? number : double.NaN;
}
