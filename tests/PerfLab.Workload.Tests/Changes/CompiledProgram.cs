using System.Collections.Immutable;
using System.Diagnostics;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using PerfLab.Building.Changes;

namespace PerfLab.Workload.Tests.Changes;

/// <summary>A small program, compiled in this process and run in its own, as a published build has it.</summary>
internal sealed class CompiledProgram
{
    private static readonly string Runtime = Path.GetDirectoryName(typeof(object).Assembly.Location)!;

    private static readonly ImmutableArray<MetadataReference> References =
        [.. Directory.GetFiles(Runtime, "*.dll").Where(IsAssembly).Select(path => MetadataReference.CreateFromFile(path))];

    private static readonly Lazy<IReadOnlySet<string>> RuntimeTypes = new(() => ForeignTypes.In(Directory.GetFiles(Runtime, "*.dll")));

    private readonly Lazy<BuildContent> _content;
    private readonly Dictionary<string, byte[]> _lists = new(StringComparer.Ordinal);

    private CompiledProgram(string folder)
    {
        Folder = folder;
        _content = new(() => BuildContent.Read(Folder, RuntimeTypes) is var (content, why) && content is not null
            ? content : throw new InvalidOperationException(why));
    }

    public string Folder { get; }

    /// <summary>Read once, when it is first asked for: whoever alters a file does so before.</summary>
    public BuildContent Content => _content.Value;

    /// <summary>App.dll, its list of parts, and what a program needs to start.</summary>
    public static CompiledProgram Make(string folder, string source, byte[]? resource = null, string? library = null)
    {
        Directory.CreateDirectory(folder);
        if (library is not null)
        {
            Compile(Path.Combine(folder, "Library.dll"), library, OutputKind.DynamicallyLinkedLibrary);
        }

        Compile(Path.Combine(folder, "App.dll"), source, OutputKind.ConsoleApplication, resource, library is null ? null : Path.Combine(folder, "Library.dll"));
        var version = Path.GetFileName(Runtime);
        File.WriteAllText(Path.Combine(folder, "App.runtimeconfig.json"),
            $$"""{ "runtimeOptions": { "tfm": "net10.0", "framework": { "name": "Microsoft.NETCore.App", "version": "{{version}}" } } }""");
        WriteParts(folder, library is null ? ["App"] : ["App", "Library"]);
        return new(folder);
    }

    private static void Compile(string path, string source, OutputKind kind, byte[]? resource = null, string? library = null)
    {
        var syntax = new CSharpParseOptions(LanguageVersion.Preview);
        var program = SourceGenerators.Run(CSharpCompilation.Create(Path.GetFileNameWithoutExtension(path),
            [CSharpSyntaxTree.ParseText(source, syntax)],
            library is null ? References : References.Add(MetadataReference.CreateFromFile(library)),
            new CSharpCompilationOptions(kind, optimizationLevel: OptimizationLevel.Release, allowUnsafe: true, deterministic: true)),
            source, syntax);
        using var file = File.Create(path);
        var emitted = program.Emit(file, manifestResources: resource is null ? [] : [new ResourceDescription("data", () => new MemoryStream(resource), isPublic: true)]);
        emitted.Success.ShouldBeTrue(string.Join('\n', emitted.Diagnostics.Where(one => one.Severity == DiagnosticSeverity.Error)));
    }

    public static void WriteParts(string folder, params string[] names)
    {
        var parts = string.Join(", ", names.Select(name => $"\"{name}/1.0.0\": {{ \"runtime\": {{ \"{name}.dll\": {{}} }} }}"));
        var libraries = string.Join(", ", names.Select(name => $"\"{name}/1.0.0\": {{ \"type\": \"project\", \"serviceable\": false, \"sha512\": \"\" }}"));
        File.WriteAllText(Path.Combine(folder, "App.deps.json"),
            $$"""{ "runtimeTarget": { "name": ".NETCoreApp,Version=v10.0", "signature": "" }, "targets": { ".NETCoreApp,Version=v10.0": { {{parts}} } }, "libraries": { {{libraries}} } }""");
    }

    /// <summary>The JIT's list of what the program compiled, as a list launch has it; an entry is launched once.</summary>
    public byte[] List(string entry)
    {
        if (_lists.TryGetValue(entry, out var known))
        {
            return known;
        }

        var file = Path.Combine(Folder, "..", $"{Guid.NewGuid():n}.jit");
        Run(entry, file);
        return _lists[entry] = File.ReadAllBytes(file);
    }

    /// <summary>What it prints.</summary>
    public string Run(string entry, string jitList = "/dev/null")
    {
        var start = new ProcessStartInfo(Path.Combine(Runtime, "..", "..", "..", "dotnet"), [Path.Combine(Folder, "App.dll"), entry])
        {
            UseShellExecute = false,
            RedirectStandardError = true,
            RedirectStandardOutput = true,
            Environment = { ["DOTNET_JitStdOutFile"] = jitList, ["DOTNET_JitDisasmSummary"] = "1", ["DOTNET_JitNoInline"] = "1" },
        };
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEnd();
        var error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        process.ExitCode.ShouldBe(0, error);
        return output;
    }

    public IReadOnlySet<string> Listed(string entry)
    {
        var list = JitList.Of(List(entry), Content);
        list.Problem.ShouldBeNull();
        // In a benchmark's build that is another assembly, which is not measured.
        return list.Methods.Where(id => !id.StartsWith("[App]PerfLab.BenchmarkDriver.", StringComparison.Ordinal)).ToHashSet();
    }

    private static bool IsAssembly(string path)
    {
        try
        {
            return System.Reflection.AssemblyName.GetAssemblyName(path) is not null;
        }
        catch (BadImageFormatException)
        {
            return false;
        }
    }
}
