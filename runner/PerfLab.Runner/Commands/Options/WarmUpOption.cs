using System.CommandLine;
using System.Text.RegularExpressions;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`--warm-up 5`: the least time that every launch warms up, in place of the manifest's.</summary>
internal static class WarmUpOption
{
    private const string Name = "--warm-up";

    public static Option<string?> Create() => new(Name)
    {
        Description = "Warm up at least this long (instead of the workload's `launch.warm-up`), then until the program is at rest.",
        HelpName = "SECONDS",
    };

    /// <summary>In seconds; null when nothing was said, or it is wrong.</summary>
    public static double? Read(string? text, ICollection<Problem> problems)
    {
        if (text is null)
        {
            return null;
        }

        var seconds = Seconds(text);
        if (seconds is null)
        {
            problems.Add(new(Name, $"'{text}' is not a time.", "Write seconds, as in --warm-up 5, or 500ms, or 2m."));
        }
        else if (seconds is 0)
        {
            problems.Add(new(Name, "0 would measure a program that is starting, and call that its speed.",
                "Say the least time in seconds, as in --warm-up 0.5; the launch goes on until the program is at rest. "
                    + "To measure the start-up, use --age cold."));
            return null;
        }

        return seconds;
    }

    private static double? Seconds(string text) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number) && double.IsFinite(number)
            ? number
        : Regex.IsMatch(text, Duration.Pattern, RegexOptions.ExplicitCapture, TimeSpan.FromSeconds(1)) ? new Duration(text).Seconds
        : null;
}
