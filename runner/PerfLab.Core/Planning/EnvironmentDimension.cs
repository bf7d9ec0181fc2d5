using System.Text.RegularExpressions;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Planning;

/// <summary>`env.NAME=value`: a variable of the launched program. An arm that does not name it has no such variable.</summary>
public static partial class EnvironmentDimension
{
    private const int LongestName = 100, LongestValue = 1000;

    /// <summary>The complete environment of a launch has these already, and what it leaves behind to prove itself.</summary>
    private static readonly string[] Owned = ["PATH", "HOME", "LANG", "TMPDIR"];

    /// <summary>Begins of the runtime's variables by which a launch proves itself, or is traced.</summary>
    private static readonly string[] OwnedSettings =
        ["JitStdOutFile", "JitDisasm", "EnableEventPipe", "EventPipe", "Diagnostic", "EnableDiagnostics"];

    /// <summary>What is wrong with it, or null.</summary>
    public static Problem? Wrong(string dimension, string value, string where)
    {
        var name = dimension[EnvironmentName.Prefix.Length..];
        if (name.Length > LongestName || !NameForm().IsMatch(name))
        {
            return new(where, $"'{UntrustedText.Line(name)}' is not the name of a variable.", "Letters, digits and _; no digit first.");
        }

        if (value.Length > LongestValue || value.Any(character => character is < ' ' or > '~'))
        {
            return new(where,
                Invariant($"its value has {value.Length} characters: at most {LongestValue} of printable ASCII on one line."));
        }

        return Owner(name) is { } instead ? new(where, $"{name} is the lab's own.", instead) : null;
    }

    /// <summary>The variables of an arm, in the order of their names.</summary>
    public static IEnumerable<KeyValuePair<string, string>> Of(IEnumerable<DimensionValue> values) => values
        .Where(value => EnvironmentName.Is(value.Dimension)).OrderBy(value => value.Dimension, StringComparer.Ordinal)
        .Select(value => KeyValuePair.Create(value.Dimension[EnvironmentName.Prefix.Length..], value.Name));

    /// <summary>What to say instead of a variable that the lab sets; null for others.</summary>
    private static string? Owner(string name)
    {
        if (Owned.Contains(name, StringComparer.Ordinal) || name.StartsWith("PERF_LAB_", StringComparison.OrdinalIgnoreCase))
        {
            return "Every launch of every arm has the same.";
        }

        if (EnvironmentName.Setting(name) is not { } setting)
        {
            return null;
        }

        var knob = RuntimeKnobs.All.FirstOrDefault(known => known.Variable.Name.Equals(setting, StringComparison.OrdinalIgnoreCase));
        return knob is not null ? $"Say {knob.Name}={string.Join('|', knob.Values)}."
            : RuntimeKnobs.Fixed.Any(pair => pair.Key.Equals(setting, StringComparison.OrdinalIgnoreCase)) ? "It is the same in every cell."
            : OwnedSettings.Any(begin => setting.StartsWith(begin, StringComparison.OrdinalIgnoreCase))
                ? "Launches prove by it how they ran."
            : null;
    }

    [GeneratedRegex(@"^[A-Za-z_][A-Za-z0-9_]*\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex NameForm();
}
