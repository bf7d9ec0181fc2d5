using System.Security.Cryptography;

namespace PerfLab.Building.Changes;

/// <summary>How a method or a type differs.</summary>
public enum ChangeKind { Changed, Added, Removed }

/// <summary>A method or a type that differs.</summary>
/// <param name="Id">"[Lib]Ns.Type::Name(Int32):Void" or "[Lib]Ns.Type".</param>
/// <param name="Words">"Type.Name" or "Type".</param>
public sealed record ChangedPart(string Id, string Words, ChangeKind Kind);

/// <summary>The difference of two builds, in what a running program can see of it.</summary>
public sealed class BuildChange
{
    private BuildChange()
    {
    }

    /// <summary>Why everything has to be measured, a sentence each; empty where methods and types say all.</summary>
    public required IReadOnlyList<string> Everything { get; init; }

    public required IReadOnlyList<ChangedPart> Methods { get; init; }

    /// <summary>Types that are laid out or dispatched otherwise.</summary>
    public required IReadOnlyList<ChangedPart> Types { get; init; }

    /// <summary>Ids of types whose own attributes differ.</summary>
    public required IReadOnlySet<string> Attributed { get; init; }

    /// <summary>Something differs that only reflection sees: names, access, attributes, constants.</summary>
    public required bool IsReflected { get; init; }

    /// <summary>Assemblies that differ, by file name.</summary>
    public required IReadOnlyList<string> Assemblies { get; init; }

    /// <summary>Names all of it: equal differences have equal hashes. "sha256:…".</summary>
    public string Hash => "sha256:" + Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(string.Join('\n',
    [
        .. Everything, .. Methods.Select(part => $"m{part.Kind}{part.Id}"), .. Types.Select(part => $"t{part.Kind}{part.Id}"),
        .. Attributed.Order(StringComparer.Ordinal), IsReflected ? "reflected" : "",
    ]))));

    /// <summary>No code that runs differs: the same program, compiled again.</summary>
    public bool IsNothing => Everything.Count == 0 && Methods.Count == 0 && Types.Count == 0 && Attributed.Count == 0 && !IsReflected;

    public static BuildChange Of(BuildContent reference, BuildContent arm)
    {
        var (old, now) = (reference.Index, arm.Index);
        var types = Parts(old.Types, now.Types, type => type.Shape, type => type.Words);
        return new()
        {
            Everything = [.. WholeProgram.Differences(reference, arm)],
            Methods = Parts(old.Methods, now.Methods, method => method.Code, method => method.Words),
            Types = types,
            Attributed = Parts(old.Types, now.Types, type => type.Attributes, type => type.Words).Select(part =>
                part.Id).ToHashSet(StringComparer.Ordinal),
            IsReflected = Parts(old.Types, now.Types, type => type.Reflected, type => type.Words).Count > 0
                || WholeProgram.Pairs(reference, arm).Any(pair => pair.Old?.Reflected != pair.Now?.Reflected),
            Assemblies = [.. WholeProgram.Pairs(reference, arm).Select(pair => pair.File)],
        };
    }

    private static List<ChangedPart> Parts<T>(
        Dictionary<string, T> old, Dictionary<string, T> now, Func<T, string> text, Func<T, string> words)
        where T : class =>
        [.. old.Keys.Union(now.Keys, StringComparer.Ordinal).Order(StringComparer.Ordinal)
            .Select(id => (Id: id, Old: old.GetValueOrDefault(id), Now: now.GetValueOrDefault(id)))
            .Where(one => one.Old is null || one.Now is null || text(one.Old) != text(one.Now))
            .Select(one => new ChangedPart(one.Id, words((one.Now ?? one.Old)!),
                one.Old is null ? ChangeKind.Added : one.Now is null ? ChangeKind.Removed : ChangeKind.Changed))];
}

/// <summary>Differences that reach every method of a program.</summary>
internal static class WholeProgram
{
    private const int Named = 3;

    /// <summary>Assemblies that are measured and whose bytes differ.</summary>
    public static IEnumerable<(string File, AssemblyModel? Old, AssemblyModel? Now)> Pairs(BuildContent reference, BuildContent arm) =>
        Differing(reference, arm).Where(file => reference.Assemblies.ContainsKey(file) || arm.Assemblies.ContainsKey(file))
            .Select(file => (file, reference.Assemblies.GetValueOrDefault(file), arm.Assemblies.GetValueOrDefault(file)));

    public static IEnumerable<string> Differences(BuildContent reference, BuildContent arm)
    {
        var (tools, others) = (reference.Files.Tools.Union(arm.Files.Tools, StringComparer.Ordinal).ToHashSet(StringComparer.Ordinal),
            new List<string>());
        foreach (var file in Differing(reference, arm))
        {
            if (tools.Contains(file))
            {
                yield return $"{file} differs, which measures";
            }
            else if (!reference.Assemblies.ContainsKey(file) && !arm.Assemblies.ContainsKey(file))
            {
                others.Add(file);
            }
        }

        if (others.Count > 0)
        {
            var more = others.Count > Named ? Invariant($" and {others.Count - Named} more") : "";
            yield return $"{string.Join(", ", others.Take(Named))}{more} {(others.Count == 1 ? "differs, which is no assembly of the project" : "differ, which are no assemblies of the project")}";
        }

        foreach (var (file, old, now) in Pairs(reference, arm))
        {
            if (old is null || now is null)
            {
                // Its methods are all added or removed; what it does to the whole program is its attributes, which nobody else has.
                continue;
            }

            if (old.IsPrecompiled || now.IsPrecompiled)
            {
                yield return $"{file} is precompiled, so its methods are not one by one what runs";
            }
            else if (old.Whole != now.Whole)
            {
                yield return $"{file} differs in its resources, or in attributes of the whole assembly that the runtime obeys";
            }
        }
    }

    private static IEnumerable<string> Differing(BuildContent reference, BuildContent arm) =>
        reference.Files.Hashes.Keys.Union(arm.Files.Hashes.Keys, StringComparer.Ordinal).Order(StringComparer.Ordinal)
            .Where(file => reference.Files.Hashes.GetValueOrDefault(file) != arm.Files.Hashes.GetValueOrDefault(file));
}
