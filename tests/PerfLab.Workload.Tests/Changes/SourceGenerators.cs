using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace PerfLab.Workload.Tests.Changes;

/// <summary>The source generators that the SDK gives every project: of regular expressions, and of serializers.</summary>
internal static class SourceGenerators
{
    private static readonly Lazy<IReadOnlyList<ISourceGenerator>> Known = new(() => [.. Files().SelectMany(file =>
        new AnalyzerFileReference(file, new Loader()).GetGenerators(LanguageNames.CSharp))]);

    /// <summary>The compilation with what they add to it; as it is where it asks for none.</summary>
    public static Compilation Run(CSharpCompilation program, string source, CSharpParseOptions options)
    {
        if (!source.Contains("[GeneratedRegex(", StringComparison.Ordinal)
            && !source.Contains("JsonSerializerContext", StringComparison.Ordinal))
        {
            return program;
        }

        CSharpGeneratorDriver.Create(Known.Value, parseOptions: options)
            .RunGeneratorsAndUpdateCompilation(program, out var grown, out _);
        grown.SyntaxTrees.Count().ShouldBeGreaterThan(1, "no generator added anything");
        return grown;
    }

    private static string[] Files()
    {
        var root = Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "..", "..", "..");
        var packs = Path.Combine(root, "packs", "Microsoft.NETCore.App.Ref");
        return [.. Directory.GetFiles(packs, "System.Text.*.dll", SearchOption.AllDirectories)
            .Where(file => Path.GetFileName(Path.GetDirectoryName(file)) == "cs"
                && !file.EndsWith(".resources.dll", StringComparison.Ordinal)) // "cs" is Czech, too
            .GroupBy(Path.GetFileName).Select(versions => versions.Order(StringComparer.Ordinal).Last())];
    }

    private sealed class Loader : IAnalyzerAssemblyLoader
    {
        public void AddDependencyLocation(string fullPath)
        {
        }

        public Assembly LoadFromPath(string fullPath) => Assembly.LoadFrom(fullPath);
    }
}
