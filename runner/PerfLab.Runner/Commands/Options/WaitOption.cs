using System.CommandLine;
using System.Text.RegularExpressions;
using PerfLab.Building.Manifests;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`--wait 30m`: until nobody else measures here and the machine is quiet, at most that long.</summary>
internal static class WaitOption
{
    public static Option<TimeSpan> Create() => new("--wait")
    {
        Description = "Wait until no other session measures here and nothing else takes the cores, at most that long; "
            + "then measure all the same, or say who holds the machine.",
        HelpName = "30m",
        CustomParser = result =>
        {
            var text = result.Tokens.Single().Value;
            if (Regex.IsMatch(text, Duration.Pattern, RegexOptions.ExplicitCapture, TimeSpan.FromSeconds(1)))
            {
                return TimeSpan.FromSeconds(new Duration(text).Seconds);
            }

            result.AddError($"--wait: '{text}' is not {Duration.Form}.");
            return default;
        },
    };
}
