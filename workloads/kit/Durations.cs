using System;
using System.Globalization;

namespace PerfLab.WorkloadKit;

/// <summary>Reads durations as the lab and people write them: <c>0.5</c> (seconds), <c>2s</c>, <c>500ms</c>.</summary>
public static class Durations
{
    /// <summary>The longest duration that is believed; more is a mistake in a manifest.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromHours(1);

    /// <summary>Reads <paramref name="text"/>; <paramref name="name"/> is what the refusal calls it.</summary>
    /// <exception cref="RefusedException">It is not a duration between 0 and <see cref="Longest"/>.</exception>
    public static TimeSpan Parse(string name, string text)
    {
        var (digits, factor) = text switch
        {
            _ when text.EndsWith("ms", StringComparison.Ordinal) => (text.Substring(0, text.Length - 2), 0.001),
            _ when text.EndsWith("s", StringComparison.Ordinal) => (text.Substring(0, text.Length - 1), 1.0),
            _ => (text, 1.0),
        };
        if (!double.TryParse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)
            || !(number * factor <= Longest.TotalSeconds))
        {
            throw new RefusedException($"{name} is '{text}', which is not a duration of at most one hour: write seconds like 0.5, or 2s, or 500ms.");
        }

        return TimeSpan.FromTicks((long)(number * factor * TimeSpan.TicksPerSecond));
    }
}
