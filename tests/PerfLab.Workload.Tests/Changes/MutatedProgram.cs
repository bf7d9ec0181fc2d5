using System.Globalization;
using System.Text;

namespace PerfLab.Workload.Tests.Changes;

/// <summary>
/// A program of 40 entries and 150 methods of every kind that a caller can't tell apart: plain, virtual, generic, with lambdas, asynchronous, with
/// statics, iterators. Each can be edited alone; every edit that runs changes what is printed.
/// </summary>
internal sealed class MutatedProgram
{
    public const int Entries = 40, Methods = 150;

    private readonly int[][] _calls;
    private readonly int[] _constants;
    private readonly bool[] _isOverridden, _hasMore;
    private readonly int[][] _entries;

    public MutatedProgram(int seed)
    {
        var random = new Random(seed);
        _constants = [.. Enumerable.Range(0, Methods).Select(_ => random.Next(3, 1000))];
        _calls = [.. Enumerable.Range(0, Methods).Select(index => (int[])[random.Next(index + 1, Math.Min(Methods, index + 40) + 1), random.Next(index + 1, Methods + 1)])];
        _entries = [.. Enumerable.Range(0, Entries).Select(_ => (int[])[random.Next(Methods / 3), random.Next(Methods), random.Next(Methods)])];
        (_isOverridden, _hasMore) = (new bool[Methods], new bool[Methods]);
        for (var index = 0; index < Methods; index++)
        {
            _isOverridden[index] = random.Next(2) == 0;
        }
    }

    private MutatedProgram(MutatedProgram other)
    {
        (_calls, _entries) = (other._calls, other._entries);
        (_constants, _isOverridden, _hasMore) = ([.. other._constants], [.. other._isOverridden], [.. other._hasMore]);
    }

    /// <summary>One method otherwise: another constant, a lambda more, an override more or less.</summary>
    public MutatedProgram Edited(int seed)
    {
        var random = new Random(seed);
        var edited = new MutatedProgram(this);
        var index = random.Next(Methods);
        switch (random.Next(4))
        {
            case 0 when index % 7 == 1:
                edited._isOverridden[index] = !_isOverridden[index];
                break;
            case 1:
                edited._hasMore[index] = true;
                break;
            default:
                edited._constants[index] += random.Next(1, 50);
                break;
        }

        return edited;
    }

    public string Source()
    {
        var text = new StringBuilder("using System; using System.Collections.Generic; using System.Linq; using System.Runtime.CompilerServices; using System.Threading.Tasks;\n");
        text.AppendLine("public static class P {");
        for (var index = 0; index < Methods; index++)
        {
            text.AppendLine(Method(index));
        }

        text.AppendLine(CultureInfo.InvariantCulture, $"public static long M{Methods}(long x) => x;");
        for (var entry = 0; entry < Entries; entry++)
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"public static long E{entry}() => {string.Join(" + ", _entries[entry].Select((method, place) => $"M{method}({place + 1})"))};");
        }

        text.AppendLine("}");
        text.AppendLine("namespace PerfLab.BenchmarkDriver { public static class Program {");
        text.AppendLine("public static void Main(string[] names) { foreach (var name in names[0] == \"all\" ? Enumerable.Range(0, 40) : new[] { int.Parse(names[0]) }) { Console.WriteLine(Run(name)); } Ended(); }");
        text.AppendLine("[MethodImpl(MethodImplOptions.NoInlining)] static void Ended() { }");
        text.AppendLine("static long Run(int entry) { switch (entry) {");
        for (var entry = 0; entry < Entries; entry++)
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"case {entry}: return P.E{entry}();");
        }

        return text.AppendLine("default: return 0; } } } }").ToString();
    }

    /// <summary>The second call is a cold one: it is there, and never runs.</summary>
    private string Method(int index)
    {
        var (c, next) = (_constants[index], $"M{_calls[index][0]}(x + {_constants[index] % 7}) + (x == -987654321 ? M{_calls[index][1]}(x) : 0)");
        var more = _hasMore[index] ? "Func<long, long> more = y => y * 3 + 1; x = more(x);" : "";
        return (index % 7) switch
        {
            0 => $"public static long M{index}(long x) {{ {more} return x * {c} + {next}; }}",
            1 => $"public class B{index} {{ public virtual long F(long x) => x + 1; }} public class V{index} : B{index} {{ {(_isOverridden[index] ? $"public override long F(long x) => x ^ {c};" : "")} }}"
                + $" public static long M{index}(long x) {{ {more} B{index} b = new V{index}(); return b.F(x) + {c} + {next}; }}",
            2 => $"public static long G{index}<T>(T t, long x) {{ {more} return (t.GetHashCode() & 1) + x * {c} + {next}; }} public static long M{index}(long x) => G{index}<int>(4, x);",
            3 => $"public static long M{index}(long x) {{ {more} Func<long, long> f = y => y * {c} + x; return f(x) + {next}; }}",
            4 => $"public static async Task<long> A{index}(long x) {{ {more} await Task.CompletedTask; return x * {c} + {next}; }} public static long M{index}(long x) => A{index}(x).Result;",
            5 => $"public static class S{index} {{ public static readonly long Value = Environment.ProcessorCount * 0 + {c}; }} public static long M{index}(long x) {{ {more} return x * S{index}.Value + {next}; }}",
            _ => $"public static IEnumerable<long> I{index}(long x) {{ {more} yield return x; yield return {c}; }} public static long M{index}(long x) => I{index}(x).Sum() + {next};",
        };
    }
}
