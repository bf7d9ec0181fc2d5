using System.Reflection.Metadata;

namespace PerfLab.Building.Changes;

/// <summary>The members of an assembly by name, and which of them the compiler made: their names are numbers that shift.</summary>
internal sealed class MemberNames(MetadataReader reader)
{
    private readonly TypeHeads _heads = new(reader);
    private readonly Dictionary<MethodDefinitionHandle, string> _methods = [];
    private readonly Dictionary<TypeDefinitionHandle, Dictionary<string, EntityHandle>> _members = [];

    public TypeNames Types { get; } = new(reader);

    /// <summary>
    /// Lambdas, closures, iterators, anonymous types: "&lt;Run&gt;b__0_1". Names that people can write another way (top-level statements,
    /// extension blocks) end in "&gt;$".
    /// </summary>
    public static bool IsMade(string name) => name.StartsWith('<') && !name.Contains(">$", StringComparison.Ordinal) && name != "<Module>";

    public bool IsMade(TypeDefinitionHandle handle)
    {
        var type = reader.GetTypeDefinition(handle);
        return IsMade(reader.GetString(type.Name)) || (!type.GetDeclaringType().IsNil && IsMade(type.GetDeclaringType()));
    }

    public bool IsMade(MethodDefinitionHandle handle)
    {
        var method = reader.GetMethodDefinition(handle);
        return IsMade(reader.GetString(method.Name)) || IsMade(method.GetDeclaringType());
    }

    /// <summary>
    /// It belongs to many methods at once: only the members that are named count. A closure belongs to one, with all it has.
    /// </summary>
    public bool IsShared(TypeDefinitionHandle handle)
    {
        var name = reader.GetString(reader.GetTypeDefinition(handle).Name);
        return name is "<>c" or "<>O" or "<PrivateImplementationDetails>" || (name.StartsWith("<>c__", StringComparison.Ordinal)
            && !name.Contains("DisplayClass", StringComparison.Ordinal)) || name.StartsWith("<>o__", StringComparison.Ordinal)
            || name.Contains(">O__", StringComparison.Ordinal);
    }

    /// <summary>"[Lib]Ns.Type::Name`1(System.Int32):System.Void".</summary>
    public string Of(MethodDefinitionHandle handle)
    {
        if (!_methods.TryGetValue(handle, out var known))
        {
            var method = reader.GetMethodDefinition(handle);
            _methods[handle] = known = $"{Types.Of(method.GetDeclaringType())}::{Named(method)}";
        }

        return known;
    }

    /// <summary>"Name/2" of an id: what an override of it has as well, whatever its types are called there.</summary>
    public static string Slot(string id)
    {
        var member = id[(id.IndexOf("::", StringComparison.Ordinal) + 2)..];
        var open = member.IndexOf('(');
        var name = member[..open];
        // "System.Collections.IEnumerable.GetEnumerator" is how a type implements it for itself; "`1" its own type parameters.
        name = name[(name.LastIndexOf('.', Math.Max(0, name.Length - 2)) + 1)..];
        var depth = 0;
        var parameters = member[open + 1] == ')' ? 0 : 1;
        for (var at = open; at < member.Length; at++)
        {
            depth += member[at] is '(' or '<' or '[' ? 1 : member[at] is ')' or '>' or ']' ? -1 : 0;
            parameters += member[at] == ',' && depth == 1 ? 1 : 0;
            if (depth == 0)
            {
                break;
            }
        }

        return Invariant($"{(name.Length == 0 ? member[..open] : name)}/{parameters}");
    }

    /// <summary>
    /// The definition behind a reference to a member of a type of this assembly, and the type that it is of; nil where it is another's.
    /// </summary>
    public (EntityHandle Member, TypeDefinitionHandle Type) Defined(MemberReference member)
    {
        if (member.Parent.Kind == HandleKind.MethodDefinition)
        {
            var method = (MethodDefinitionHandle)member.Parent;
            return (method, reader.GetMethodDefinition(method).GetDeclaringType());
        }

        return member.Parent.Kind != HandleKind.ModuleReference && _heads.Of(member.Parent) is { Kind: HandleKind.TypeDefinition } head
            ? (Members((TypeDefinitionHandle)head).GetValueOrDefault(Named(member)), (TypeDefinitionHandle)head) : default;
    }

    /// <summary>
    /// "[Other]Ns.Type::Name(System.Int32):System.Void" of a method, and null of a field, with the open type in place of an
    /// instantiation.
    /// </summary>
    public string? Of(MemberReference member) => member.GetKind() == MemberReferenceKind.Field ? null
        : member.Parent.Kind == HandleKind.MethodDefinition ? Of((MethodDefinitionHandle)member.Parent)
        : Head(member.Parent) is { } head ? $"{head}::{Named(member)}" : null;

    /// <summary>The open type behind any handle of a type; null for arrays and parameters.</summary>
    public string? Head(EntityHandle handle) => handle.Kind == HandleKind.ModuleReference ? Types.OfAny(handle)
        : _heads.Of(handle) is { IsNil: false } head ? Types.OfAny(head) : null;

    public TypeDefinitionHandle HeadDefinition(EntityHandle handle) =>
        _heads.Of(handle) is { IsNil: false, Kind: HandleKind.TypeDefinition } head ? (TypeDefinitionHandle)head : default;

    private Dictionary<string, EntityHandle> Members(TypeDefinitionHandle handle)
    {
        if (_members.TryGetValue(handle, out var known))
        {
            return known;
        }

        var members = new Dictionary<string, EntityHandle>(StringComparer.Ordinal);
        var type = reader.GetTypeDefinition(handle);
        foreach (var method in type.GetMethods())
        {
            members[Named(reader.GetMethodDefinition(method))] = method;
        }

        foreach (var field in type.GetFields())
        {
            var definition = reader.GetFieldDefinition(field);
            members[$"{reader.GetString(definition.Name)}:{definition.DecodeSignature(Types, null)}"] = field;
        }

        return _members[handle] = members;
    }

    private string Named(MethodDefinition method) => Named(reader.GetString(method.Name), method.DecodeSignature(Types, null));

    private string Named(MemberReference member) => member.GetKind() == MemberReferenceKind.Field
        ? $"{reader.GetString(member.Name)}:{member.DecodeFieldSignature(Types, null)}"
        : Named(reader.GetString(member.Name), member.DecodeMethodSignature(Types, null));

    private static string Named(string name, MethodSignature<string> signature) =>
        $"{name}{(signature.GenericParameterCount > 0 ? Invariant($"`{signature.GenericParameterCount}") : "")}{TypeNames.Of(signature)}";
}

/// <summary>Attributes as text, with the skipped ones that the compiler writes about its own work left out.</summary>
internal sealed class AttributeText(MetadataReader reader, TypeNames types)
{
    /// <summary>They name a made type, or are about null, which nobody obeys.</summary>
    private static readonly string[] Skipped =
    [
        "AsyncStateMachineAttribute", "IteratorStateMachineAttribute", "AsyncIteratorStateMachineAttribute", "NullableAttribute",
        "NullableContextAttribute", "CompilerGeneratedAttribute",
    ];

    /// <summary>In order of their text: their own order is nobody's.</summary>
    /// <param name="attributes">Of anything that has some.</param>
    /// <param name="isWanted">By the full name of the attribute, without its assembly.</param>
    public string Of(CustomAttributeHandleCollection attributes, Func<string, bool>? isWanted = null)
    {
        var texts = new List<string>();
        foreach (var attribute in attributes.Select(reader.GetCustomAttribute))
        {
            var name = Name(attribute);
            var plain = name[(name.IndexOf(']') + 1)..];
            if (!Skipped.Any(skipped => plain == $"System.Runtime.CompilerServices.{skipped}") && isWanted?.Invoke(plain) != false)
            {
                texts.Add($"{name}={Convert.ToHexStringLower(reader.GetBlobBytes(attribute.Value))}{Constructor(attribute)}");
            }
        }

        return string.Join(';', texts.Order(StringComparer.Ordinal));
    }

    private string Name(CustomAttribute attribute) => attribute.Constructor.Kind == HandleKind.MemberReference
        ? types.OfAny(reader.GetMemberReference((MemberReferenceHandle)attribute.Constructor).Parent)
        : types.Of(reader.GetMethodDefinition((MethodDefinitionHandle)attribute.Constructor).GetDeclaringType());

    // Which overload: the same bytes may mean another thing.
    private string Constructor(CustomAttribute attribute) => TypeNames.Of(attribute.Constructor.Kind == HandleKind.MemberReference
        ? reader.GetMemberReference((MemberReferenceHandle)attribute.Constructor).DecodeMethodSignature(types, null)
        : reader.GetMethodDefinition((MethodDefinitionHandle)attribute.Constructor).DecodeSignature(types, null));
}
