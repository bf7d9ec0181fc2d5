using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Running;

namespace PerfLab.BenchmarkDriver;

/// <summary>A method with one set of parameters.</summary>
internal sealed class FoundBenchmark
{
    public FoundBenchmark(string name, BenchmarkCase benchmark) => (Name, Case) = (name, benchmark);

    /// <summary>As BenchmarkDotNet's reports call it: Namespace.Type.Method(parameter: value).</summary>
    public string Name { get; }

    /// <summary>With the first of its jobs: runtime, GC and PGO are the lab's to vary.</summary>
    public BenchmarkCase Case { get; }
}

/// <summary>The benchmarks of the project.</summary>
internal static class Benchmarks
{
    private const BindingFlags Methods = BindingFlags.Static | BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    /// <summary>In the order of their types. A type that BenchmarkDotNet itself refuses becomes a problem, and the others are found.</summary>
    public static IEnumerable<FoundBenchmark> Find(Func<Type, bool> isWanted, ICollection<string> problems)
    {
        foreach (var type in Types(problems).Where(HasBenchmarks).Where(isWanted).SelectMany(Closed))
        {
            foreach (var named in Cases(type, problems).GroupBy(benchmark => FullNameProvider.GetBenchmarkName(benchmark), StringComparer.Ordinal))
            {
                if (named.GroupBy(benchmark => benchmark.Job.ResolvedId, StringComparer.Ordinal).Any(job => job.Skip(1).Any()))
                {
                    problems.Add($"two benchmarks are called {named.Key}: their parameters print alike, so a result could be of either; neither is measured");
                }
                else
                {
                    yield return new FoundBenchmark(named.Key, named.First());
                }
            }
        }
    }

    /// <summary>Whether a benchmark of this name can be in the type: a launch should not run the parameter sources of all others.</summary>
    public static bool MayHold(Type type, string name)
    {
        var tick = type.Name.IndexOf('`');
        var plain = tick < 0 ? type.Name : type.Name.Substring(0, tick);
        return name.StartsWith(string.IsNullOrEmpty(type.Namespace) ? "" : type.Namespace + ".", StringComparison.Ordinal) && name.Contains(plain, StringComparison.Ordinal);
    }

    private static IReadOnlyList<BenchmarkCase> Cases(Type type, ICollection<string> problems)
    {
        try
        {
            return BenchmarkConverter.TypeToBenchmarks(type).BenchmarksCases;
        }
        catch (Exception refused)
        {
            // The edge of somebody else's code: parameter sources and configurations run here.
            var why = refused is TargetInvocationException { InnerException: { } inner } ? inner : refused;
            problems.Add($"{type.FullName}: {why.GetType().Name}: {why.Message}");
            return Array.Empty<BenchmarkCase>();
        }
    }

    private static IEnumerable<Type> Types(ICollection<string> problems)
    {
        var name = typeof(Benchmarks).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(attribute => attribute.Key == "Benchmarks").Value;
        try
        {
            return Assembly.Load(name).GetTypes();
        }
        catch (ReflectionTypeLoadException partly)
        {
            problems.Add(partly.LoaderExceptions.FirstOrDefault()?.Message ?? partly.Message);
            return partly.Types.Where(type => type is not null);
        }
    }

    private static bool HasBenchmarks(Type type) =>
        type.IsClass && !type.IsAbstract && type.GetMethods(Methods).Any(method => method.IsDefined(typeof(BenchmarkAttribute), inherit: true));

    // [GenericTypeArguments] says with which types an open one is measured; without it nobody could.
    private static IEnumerable<Type> Closed(Type type) => !type.IsGenericTypeDefinition ? new[] { type }
        : type.GetCustomAttributes<GenericTypeArgumentsAttribute>(inherit: true).Select(arguments => type.MakeGenericType(arguments.GenericTypeArguments));
}
