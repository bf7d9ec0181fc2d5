using System.Collections.Concurrent;

namespace PerfLab.Building.Changes;

/// <summary>What a build is made of, ready to be held against another one and against what ran.</summary>
public sealed class BuildContent
{
    private static readonly ConcurrentDictionary<string, AssemblyModel?> Known = new(StringComparer.Ordinal);

    private readonly ILookup<string, JitName> _jit;
    private readonly Lazy<IReadOnlySet<string>> _foreign;

    private BuildContent(PublishedFiles files, IReadOnlyDictionary<string, AssemblyModel> assemblies, Lazy<IReadOnlySet<string>>? foreign)
    {
        (Files, Assemblies) = (files, assemblies);
        Index = new(assemblies.Values);
        _jit = assemblies.Values.SelectMany(assembly => assembly.JitNames).ToLookup(name => name.Name, StringComparer.Ordinal);
        JitTypes = assemblies.Values.SelectMany(assembly => assembly.Types).Select(type => type.Id[(type.Id.IndexOf(']') + 1)..])
            .ToHashSet(StringComparer.Ordinal);
        _foreign = foreign ?? new(() => ForeignTypes.Of(files, assemblies.Keys));
    }

    /// <summary>
    /// Names of the assemblies whose precompiled code a list launch leaves aside, so that all of it is compiled and listed.
    /// </summary>
    public IReadOnlyList<string> AssemblyNames => [.. Assemblies.Values.Select(assembly => assembly.Name).Order(StringComparer.Ordinal)];

    internal PublishedFiles Files { get; }

    /// <summary>By file name.</summary>
    internal IReadOnlyDictionary<string, AssemblyModel> Assemblies { get; }

    internal BuildIndex Index { get; }

    /// <summary>Types of the build as the JIT calls them.</summary>
    internal IReadOnlySet<string> JitTypes { get; }

    /// <summary>The content, or why it can't be told, in a sentence.</summary>
    /// <param name="folder">Of a build.</param>
    public static (BuildContent? Content, string? Why) Read(string folder) => Read(folder, null);

    /// <param name="folder">Of a build.</param>
    /// <param name="foreign">Types of the runtime, where it is not beside the program.</param>
    internal static (BuildContent? Content, string? Why) Read(string folder, Lazy<IReadOnlySet<string>>? foreign)
    {
        try
        {
            if (PublishedFiles.Of(folder) is not { } files)
            {
                return (null, "it is no published .NET program");
            }

            var assemblies = new SortedDictionary<string, AssemblyModel>(StringComparer.Ordinal);
            foreach (var name in files.Own.Where(files.Hashes.ContainsKey))
            {
                // Both builds share most packages.
                var model = Known.GetOrAdd(files.Hashes[name], _ => AssemblyReader.Read(File.ReadAllBytes(Path.Combine(folder, name))));
                if (model is not null)
                {
                    assemblies[name] = model;
                }
            }

            return (new(files, assemblies, foreign), null);
        }
        catch (Exception unreadable) when (unreadable is BadImageFormatException or InvalidDataException or IOException or UnauthorizedAccessException
            or ArgumentException or InvalidOperationException or OverflowException)
        {
            return (null, $"an assembly of it can't be read: {unreadable.Message}");
        }
    }

    /// <summary>The methods that a name of the JIT's can mean.</summary>
    internal IEnumerable<JitName> Named(string name) => _jit[name];

    /// <summary>Whether a type is the runtime's or a tool's.</summary>
    internal bool IsForeign(string jitType) => _foreign.Value.Contains(jitType);
}

/// <summary>Methods and types of all assemblies of a build, by their ids.</summary>
internal sealed class BuildIndex
{
    private readonly Dictionary<string, string> _forwards = new(StringComparer.Ordinal);

    public BuildIndex(IEnumerable<AssemblyModel> assemblies)
    {
        foreach (var assembly in assemblies)
        {
            Names.Add(assembly.Name);
            assembly.Types.ToList().ForEach(type => Types[type.Id] = type);
            assembly.Methods.ToList().ForEach(method => Methods[method.Id] = method);
            assembly.Forwards.ToList().ForEach(forward => _forwards[forward.Key] = forward.Value);
        }

        Virtual = Methods.Values.Where(method => method.Slot is not null).ToLookup(method => method.Slot!, StringComparer.Ordinal);
        OfName = Methods.Values.ToLookup(method => NameOf(method.Id), StringComparer.Ordinal);
        OfType = Methods.Values.ToLookup(method => method.Type, StringComparer.Ordinal);
    }

    public HashSet<string> Names { get; } = new(StringComparer.Ordinal);

    public Dictionary<string, TypeModel> Types { get; } = new(StringComparer.Ordinal);

    public Dictionary<string, MethodModel> Methods { get; } = new(StringComparer.Ordinal);

    /// <summary>By slot.</summary>
    public ILookup<string, MethodModel> Virtual { get; }

    /// <summary>By simple name.</summary>
    public ILookup<string, MethodModel> OfName { get; }

    /// <summary>By type.</summary>
    public ILookup<string, MethodModel> OfType { get; }

    /// <summary>"Name" of "[Lib]Ns.Type::Name`1(Int32):Void".</summary>
    private static string NameOf(string id)
    {
        var member = id[(id.IndexOf("::", StringComparison.Ordinal) + 2)..];
        return member[..member.IndexOfAny(['(', '`'])];
    }

    public string Real(string type) => _forwards.GetValueOrDefault(type, type);

    /// <summary>
    /// The method that a call goes to: one that the named type only inherits is its base's. Null when it is no method of the build.
    /// </summary>
    public MethodModel? Called(string id)
    {
        var at = id.IndexOf("::", StringComparison.Ordinal);
        var (type, member) = (Real(id[..at]), id[at..]);
        for (var depth = 0; depth < 64; depth++)
        {
            if (Methods.GetValueOrDefault(type + member) is { } found)
            {
                return found;
            }

            if (Types.GetValueOrDefault(type)?.Above.Select(Real).FirstOrDefault(above =>
                Types.TryGetValue(above, out var model) && !model.IsInterface) is not { } next)
            {
                return null;
            }

            type = next;
        }

        return null;
    }
}
