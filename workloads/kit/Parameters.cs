using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace PerfLab.WorkloadKit;

/// <summary>
/// The parameters of this launch. Read every one before measuring: what is set but was never read is unknown and refused, and all
/// problems are told at once, before any time is spent.
/// </summary>
public sealed class Parameters
{
    private readonly IReadOnlyDictionary<string, string> _set;
    private readonly SortedSet<string> _known = new(StringComparer.Ordinal);
    private readonly List<string> _problems = [];

    /// <param name="set">Text by parameter name, as the manifest spells it (lower case, with hyphens).</param>
    public Parameters(IReadOnlyDictionary<string, string> set) => _set = set;

    /// <summary>A whole number within its bounds, both included.</summary>
    public int Integer(string name, int standard, int minimum, int maximum)
    {
        if (Text(name) is not { } text)
        {
            return standard;
        }

        if (int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value) && value >= minimum && value <= maximum)
        {
            return value;
        }

        return Problem(name, text, $"a whole number from {minimum} to {maximum}", standard);
    }

    /// <summary>A finite number within its bounds, both included; the decimal mark is a point everywhere.</summary>
    public double Number(string name, double standard, double minimum, double maximum)
    {
        if (Text(name) is not { } text)
        {
            return standard;
        }

        const NumberStyles Decimal = NumberStyles.AllowDecimalPoint | NumberStyles.AllowLeadingSign | NumberStyles.AllowExponent;
        if (double.TryParse(text, Decimal, CultureInfo.InvariantCulture, out var value) && value >= minimum && value <= maximum)
        {
            return value;
        }

        return Problem(name, text, string.Format(CultureInfo.InvariantCulture, "a number from {0} to {1}", minimum, maximum), standard);
    }

    /// <summary>One of the words in <paramref name="choices"/>, of which the first is the default.</summary>
    public string Choice(string name, params string[] choices)
    {
        if (Text(name) is not { } text || choices.Contains(text, StringComparer.Ordinal))
        {
            return Text(name) ?? choices[0];
        }

        return Problem(name, text, "one of " + string.Join(", ", choices), choices[0]);
    }

    /// <summary>Refuses wrong values and unknown names, all at once; the kit calls it before it measures.</summary>
    /// <exception cref="RefusedException">At least one parameter is wrong or unknown.</exception>
    public void Check()
    {
        var known = _known.Count == 0 ? "this workload has none" : "known are " + string.Join(", ", _known);
        var unknown = _set.Keys.Where(name => !_known.Contains(name)).OrderBy(name => name, StringComparer.Ordinal)
            .Select(name => $"parameter '{name}' is unknown; {known}.");
        var problems = _problems.Concat(unknown).ToList();
        if (problems.Count > 0)
        {
            throw new RefusedException(string.Join(Environment.NewLine, problems));
        }
    }

    private string? Text(string name)
    {
        _known.Add(name);
        return _set.TryGetValue(name, out var text) ? text : null;
    }

    private T Problem<T>(string name, string text, string wanted, T standard)
    {
        _problems.Add($"parameter '{name}' is '{text}', which is not {wanted}.");
        return standard;
    }
}
