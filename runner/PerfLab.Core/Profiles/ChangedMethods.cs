using System.Text.RegularExpressions;

namespace PerfLab.Core.Profiles;

/// <summary>The methods whose code differs between two builds, to be found again by the names that a trace gives.</summary>
/// <param name="names">"Type.Method" of each: the type without namespace, outer types and arity. All overloads are one.</param>
public sealed partial class ChangedMethods(IEnumerable<string> names)
{
    private readonly HashSet<string> _names = [.. names];

    /// <summary>None is known, or none changed.</summary>
    public static ChangedMethods None { get; } = new([]);

    /// <summary>
    /// Whether the method is one of them. Lambdas, local functions, iterators and async methods are compiled to methods of their own; their
    /// code is that of the method that they are written in.
    /// </summary>
    /// <param name="traced">As <see cref="MethodName.Of"/> gives it: <c>Ns.Outer+Inner`1[System.Int32].Method(class System.String)</c>.</param>
    public bool Contains(string traced) => _names.Count > 0 && Parts(Written(traced)) is { } name && _names.Contains(name);

    /// <summary>The name as it is written: without parameters and type arguments, and of what the compiler made, its method's.</summary>
    private static string Written(string traced)
    {
        var name = WithoutArguments(traced);
        var made = MadeOf().Match(name);
        return made.Success ? $"{made.Groups["type"]}.{made.Groups["method"]}" : name;
    }

    private static string WithoutArguments(string traced)
    {
        var text = new StringBuilder();
        var depth = 0;
        foreach (var character in traced)
        {
            if (character == '(' && depth == 0)
            {
                break;
            }

            depth += character switch { '[' => 1, ']' => -1, _ => 0 };
            if (depth == 0 && character != ']')
            {
                text.Append(character);
            }
        }

        return text.ToString();
    }

    // "Inner.Method" of "Ns.Outer+Inner`1.Method"; a constructor's own name begins with a dot.
    private static string? Parts(string name)
    {
        var dot = name.EndsWith(".ctor", StringComparison.Ordinal) || name.EndsWith(".cctor", StringComparison.Ordinal)
            ? name.LastIndexOf('.') - 1 : name.LastIndexOf('.');
        if (dot <= 0)
        {
            return null;
        }

        var type = name[..dot];
        type = type[(Math.Max(type.LastIndexOf('.'), type.LastIndexOf('+')) + 1)..];
        var tick = type.IndexOf('`', StringComparison.Ordinal);
        return $"{(tick < 0 ? type : type[..tick])}{name[dot..]}";
    }

    /// <summary>
    /// Roslyn, GeneratedNames.cs: <c>T+&lt;&gt;c.&lt;M&gt;b__</c>, <c>T+&lt;&gt;c__DisplayClass.&lt;M&gt;b__</c>, <c>T.&lt;M&gt;g__Local|</c>,
    /// <c>T+&lt;M&gt;d__.MoveNext</c>.
    /// </summary>
    [GeneratedRegex(@"^(?<type>.+?)(\+<>c(__DisplayClass)?)?[.+]<(?<method>\w+)>(b__|g__|d__)",
        RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex MadeOf();
}
