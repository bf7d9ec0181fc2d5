using System.Text.RegularExpressions;

namespace PerfLab.Core.Tests.House;

/// <summary>One C# file under runner/, and the names in it that decide which folders it needs.</summary>
internal sealed partial record SourceFile(string Path, string[] Lines)
{
    /// <summary>A folder is a namespace: <c>PerfLab.Core/Planning/Plans</c> is <c>PerfLab.Core.Planning.Plans</c>.</summary>
    public string Folder { get; } = Path[..Path.LastIndexOf('/')].Replace('/', '.');

    private string Code { get; } = NotCode().Replace(string.Join('\n', Lines), " ");

    public IEnumerable<string> Usings => UsingLine().Matches(Code).Select(match => match.Groups["name"].Value);

    public IEnumerable<string> DeclaredTypes => TypeName().Matches(Code).Select(match => match.Groups["name"].Value);

    /// <summary>Methods that are called on a value of another type: a call names no type of the folder that has them.</summary>
    public IEnumerable<string> ExtensionMethods => ExtensionMethod().Matches(Code).Select(match => "." + match.Groups["name"].Value);

    /// <summary>Every name, chains in one piece: <c>Rows</c>, <c>Rows.Table</c>, <c>.Quoted</c> for a member of something else.</summary>
    public IReadOnlySet<string> Names => names ??= Chain().Matches(UsingLine().Replace(Code, " ")).SelectMany(match => Beginnings(match.Value)).ToHashSet();

    private HashSet<string>? names;

    private static IEnumerable<string> Beginnings(string chain)
    {
        var parts = chain.Split('.');
        var first = parts[0].Length == 0 ? [] : Enumerable.Range(1, parts.Length).Select(length => string.Join('.', parts[..length]));
        return first.Concat(parts.Skip(1).Select(member => "." + member));
    }

    // Comments and plain texts; in an interpolated text there may be code, so it stays.
    [GeneratedRegex("""//[^\n]*|/\*.*?\*/|(?<![$@])"(?:\\.|[^"\\\n])*"|(?<!["])"{3}(?!").*?"{3}""", RegexOptions.Singleline, 5000)]
    private static partial Regex NotCode();

    [GeneratedRegex(@"^using (static |[A-Za-z]+ = )?(?<name>PerfLab\.[A-Za-z.]+)", RegexOptions.Multiline | RegexOptions.ExplicitCapture, 5000)]
    private static partial Regex UsingLine();

    [GeneratedRegex(@"^ *([a-z]+ )+(class |struct |record |interface |enum |delegate [^(]*? )+(?<name>[A-Z][A-Za-z0-9]*)", RegexOptions.Multiline | RegexOptions.ExplicitCapture, 5000)]
    private static partial Regex TypeName();

    [GeneratedRegex(@"static [^=;{]*?(?<name>[A-Z][A-Za-z0-9]*)(<[^(]*>)?\(this ", RegexOptions.ExplicitCapture, 5000)]
    private static partial Regex ExtensionMethod();

    [GeneratedRegex(@"(?<![A-Za-z0-9_])\.?[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*", RegexOptions.ExplicitCapture, 5000)]
    private static partial Regex Chain();
}
