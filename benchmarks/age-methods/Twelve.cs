// Twelve methods that need from no time to some seconds to settle, for benchmarks/age, which copies this file into a project of its own and
// makes its head by replacing the 100 below by 105: so much per cent of the work.
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Running;

BenchmarkSwitcher.FromAssembly(typeof(Twelve).Assembly).Run(args);

/// <summary>What is written and read.</summary>
public sealed record Person(int Id, string Name, double Score, bool IsActive);

/// <summary>Two shapes, so that the call is virtual and generic.</summary>
public abstract class Shape
{
    public abstract double Measure<T>(T factor) where T : struct;
}

public sealed class Round : Shape
{
    public override double Measure<T>(T factor) => factor is double number ? number * 3.14 : 1;
}

public sealed class Square : Shape
{
    public override double Measure<T>(T factor) => factor is double number ? number * 4 : 2;
}

public class Twelve
{
    private const int Percent = 100;

    private static readonly Regex Words = new(@"(?<key>\w+)=(?<value>[0-9]+);?", RegexOptions.Compiled);

    private Person[] _people = [];
    private string _pairs = "";
    private string[] _numbers = [];
    private Dictionary<string, int> _ages = [];
    private Shape[] _shapes = [];
    private int[] _values = [];

    private static int Much(int usual) => usual * Percent / 100;

    [GlobalSetup]
    public void SetUp()
    {
        _people = [.. Enumerable.Range(0, Much(100)).Select(id => new Person(id, "name " + id, id / 7.0, id % 3 == 0))];
        _pairs = string.Concat(Enumerable.Range(0, Much(100)).Select(id => $"key{id}={id * 37};"));
        _numbers = [.. Enumerable.Range(0, Much(200)).Select(id => (id * 31.25).ToString(CultureInfo.InvariantCulture))];
        _ages = Enumerable.Range(0, 1000).ToDictionary(id => "name " + id, id => id);
        _shapes = [.. Enumerable.Range(0, 1000).Select(id => id % 2 == 0 ? (Shape)new Round() : new Square())];
        _values = [.. Enumerable.Range(0, 1000)];
    }

    [Benchmark]
    public uint Arithmetic()
    {
        uint x = 1;
        for (var turn = 0; turn < Much(1000); turn++)
        {
            x = (x * 1664525u) + 1013904223u;
        }

        return x;
    }

    [Benchmark]
    public int Json() => JsonSerializer.Deserialize<Person[]>(JsonSerializer.Serialize(_people))!.Length;

    [Benchmark]
    public int Pattern()
    {
        var sum = 0;
        foreach (Match match in Words.Matches(_pairs))
        {
            sum += match.Groups["value"].Length;
        }

        return sum;
    }

    [Benchmark]
    public int Linq() => _people.Where(person => person.IsActive).OrderBy(person => person.Score).Select(person => person.Name.Length)
        .GroupBy(length => length).Sum(group => group.Key * group.Count());

    [Benchmark]
    public async Task<int> Hops()
    {
        var sum = 0;
        for (var turn = 0; turn < Much(100); turn++)
        {
            await Task.Yield();
            sum += turn;
        }

        return sum;
    }

    [Benchmark]
    public object Allocation()
    {
        object[] kept = [];
        for (var turn = 0; turn < Much(100); turn++)
        {
            kept = new object[32];
        }

        return kept;
    }

    [Benchmark]
    public int Lookup()
    {
        var sum = 0;
        for (var id = 0; id < Much(100); id++)
        {
            sum += _ages[_people[id % 100].Name];
        }

        return sum;
    }

    [Benchmark]
    public double Parse()
    {
        var sum = 0.0;
        foreach (var number in _numbers)
        {
            sum += double.Parse(number, CultureInfo.InvariantCulture);
        }

        return sum;
    }

    [Benchmark]
    public double GenericVirtual()
    {
        var sum = 0.0;
        for (var turn = 0; turn < Much(500); turn++)
        {
            sum += _shapes[turn % 1000].Measure(1.5);
        }

        return sum;
    }

    [Benchmark]
    public int Lambda()
    {
        var sum = 0;
        for (var turn = 0; turn < Much(20); turn++)
        {
            var factor = turn;
            System.Array.ForEach(_values, value => sum += value * factor);
        }

        return sum;
    }

    [Benchmark]
    public int Building()
    {
        var text = new StringBuilder();
        for (var turn = 0; turn < Much(200); turn++)
        {
            text.Append("turn ").Append(turn).Append(CultureInfo.InvariantCulture, $": {turn * 0.5:0.00}").AppendLine();
        }

        return text.ToString().Length;
    }

    [Benchmark]
    public int Newtonsoft() => global::Newtonsoft.Json.JsonConvert.DeserializeObject<Person[]>(global::Newtonsoft.Json.JsonConvert.SerializeObject(_people))!.Length;
}
