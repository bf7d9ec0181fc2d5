using System.CommandLine;
using System.Text.RegularExpressions;
using PerfLab.Building.Manifests;

namespace PerfLab.Runner.Commands.Options;

/// <summary>An option whose value is a length of time, in the words of the manifests.</summary>
internal static class DurationOption
{
    public static Option<TimeSpan> Create(string name, string helpName, string description) => new(name)
    {
        Description = description,
        HelpName = helpName,
        CustomParser = result =>
        {
            var text = result.Tokens.Single().Value;
            if (Parse(text) is { } time)
            {
                return time;
            }

            result.AddError($"{name}: '{text}' is not {Duration.Form}.");
            return default;
        },
    };

    /// <summary>Null for what is no length of time.</summary>
    public static TimeSpan? Parse(string text) =>
        Regex.IsMatch(text, Duration.Pattern, RegexOptions.ExplicitCapture, TimeSpan.FromSeconds(1))
            ? TimeSpan.FromSeconds(new Duration(text).Seconds) : null;
}
