using System.Text.RegularExpressions;

namespace PerfLab.Core.Profiles;

/// <summary>Names under which a method of base is found again in head.</summary>
public static partial class MethodName
{
    private const int Longest = 300;

    /// <summary>What stands for a method that has no name: native code, or a trace that was cut before the names were written.</summary>
    public static string Missing(string module) => $"[{(module.Length > 0 ? module : "unknown")}]";

    public static bool IsMissing(string name) => name.StartsWith('[');

    /// <summary>
    /// Without the numbers that the C# compiler gives to lambdas, closures, local functions and state machines: a lambda more in the
    /// file gives all later ones another number. Roslyn, GeneratedNames.cs: <c>&lt;M&gt;b__1_0</c>, <c>&lt;&gt;c__DisplayClass3_0</c>,
    /// <c>&lt;M&gt;g__Local|2_0</c>, <c>&lt;M&gt;d__7</c>; of a program without a Main <c>&lt;&lt;Main&gt;$&gt;b__0_1</c>.
    /// </summary>
    public static string Of(string raw)
    {
        var name = Numbered().Replace(raw, "${kind}");
        return name.Length <= Longest ? name : name[..Longest];
    }

    [GeneratedRegex(@"(?<kind>>([a-z]__|c__DisplayClass|c__|g__\w+\|))\d+(_\d+)?",
        RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Numbered();
}
