using System.Text.RegularExpressions;

namespace PerfLab.Workload.Tests.Changes;

/// <summary>One change of a program, from tests/fixtures/changes/adversaries.txt.</summary>
/// <param name="Expected">"measured" or "untouched": what E0 must end in.</param>
public sealed partial record Adversary(string Name, string Expected, string Body, string Entry)
{
    public string Base => Source("old");

    public string Head => Source("now");

    public static IReadOnlyList<Adversary> All { get; } = Read(File.ReadAllText(Path.Combine(Lab.Fixture("changes"), "adversaries.txt")));

    public override string ToString() => Name;

    private static List<Adversary> Read(string text) => [.. text.Split("\n## ").Skip(1).Select(one =>
    {
        var (head, lines) = (one.Split('\n')[0].Split(": "), one.Split('\n').Skip(1).ToList());
        return new Adversary(head[0], head[1], string.Join('\n', lines.Where(line => !line.StartsWith("E0 ", StringComparison.Ordinal))),
            lines.Single(line => line.StartsWith("E0 ", StringComparison.Ordinal))["E0 ".Length..]);
    })];

    private string Source(string side) => $$"""
        using System; using System.Collections.Generic; using System.Linq; using System.Reflection; using System.Reflection.Emit;
        using System.Runtime.CompilerServices; using System.Runtime.InteropServices; using System.Text.RegularExpressions;
        using System.Threading.Tasks;
        {{Changes().Replace(Body, match => match.Groups[side].Value)}}
        public static class Other { public static int Work(int x) { var sum = 0; for (var i = 0; i < x; i++) { sum += i * 31; } return sum; } }
        public static class Entries
        {
            public static object E0() => {{Changes().Replace(Entry, match => match.Groups[side].Value)}};
            public static object E1() => Other.Work(3);
        }
        namespace PerfLab.BenchmarkDriver
        {
            public static class Program
            {
                public static void Main(string[] names)
                {
                    for (var turn = 0; turn < 2; turn++) { _ = names[0] == "E0" ? Entries.E0() : Entries.E1(); }
                    Ended();
                }
                [MethodImpl(MethodImplOptions.NoInlining)] static void Ended() { }
            }
        }
        """;

    [GeneratedRegex("«(?<old>[^|»]*)\\|(?<now>[^»]*)»", RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex Changes();
}
