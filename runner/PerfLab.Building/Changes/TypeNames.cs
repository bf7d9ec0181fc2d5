using System.Collections.Immutable;
using System.Reflection.Metadata;

namespace PerfLab.Building.Changes;

/// <summary>
/// Writes the types of an assembly by their names, "[Lib]Ns.Outer+Inner`1", so that two builds can be held against each other: tokens are
/// numbers that move with every edit. Versions of assemblies are left out.
/// </summary>
/// <param name="reader">Of the assembly.</param>
internal class TypeNames(MetadataReader reader) : ISignatureTypeProvider<string, object?>
{
    private readonly Dictionary<TypeDefinitionHandle, string> _plain = [];

    protected MetadataReader Reader => reader;

    public string Assembly { get; } = reader.IsAssembly ? reader.GetString(reader.GetAssemblyDefinition().Name) : "";

    /// <summary>"Ns.Outer+Inner`1", as the JIT calls it.</summary>
    public string Plain(TypeDefinitionHandle handle)
    {
        if (_plain.TryGetValue(handle, out var known))
        {
            return known;
        }

        var type = reader.GetTypeDefinition(handle);
        var name = reader.GetString(type.Name);
        return _plain[handle] = !type.GetDeclaringType().IsNil ? $"{Plain(type.GetDeclaringType())}+{name}"
            : Qualified(reader.GetString(type.Namespace), name);
    }

    public string Of(TypeDefinitionHandle handle) => $"[{Assembly}]{Plain(handle)}";

    public string Of(TypeReferenceHandle handle)
    {
        var type = reader.GetTypeReference(handle);
        var name = reader.GetString(type.Name);
        return type.ResolutionScope.Kind switch
        {
            HandleKind.TypeReference => $"{Of((TypeReferenceHandle)type.ResolutionScope)}+{name}",
            HandleKind.AssemblyReference =>
                $"[{reader.GetString(reader.GetAssemblyReference((AssemblyReferenceHandle)type.ResolutionScope).Name)}]{Qualified(reader.GetString(type.Namespace), name)}",
            _ => $"[{Assembly}]{Qualified(reader.GetString(type.Namespace), name)}",
        };
    }

    /// <summary>A definition, a reference, or what a signature makes of them; empty for none.</summary>
    public string OfAny(EntityHandle handle) => handle.IsNil ? "" : handle.Kind switch
    {
        HandleKind.TypeDefinition => GetTypeFromDefinition(reader, (TypeDefinitionHandle)handle, 0),
        HandleKind.TypeReference => GetTypeFromReference(reader, (TypeReferenceHandle)handle, 0),
        HandleKind.TypeSpecification => reader.GetTypeSpecification((TypeSpecificationHandle)handle).DecodeSignature(this, null),
        HandleKind.ModuleReference => $"[native {reader.GetString(reader.GetModuleReference((ModuleReferenceHandle)handle).Name)}]",
        _ => throw new InvalidDataException($"a {handle.Kind} in place of a type"),
    };

    /// <summary>"(System.Int32,!0):System.Void" with what else calling it takes.</summary>
    public static string Of(MethodSignature<string> signature) =>
        $"({string.Join(',', signature.ParameterTypes)}):{signature.ReturnType}{(signature.Header.RawValue == 0 ? "" : Invariant($"|{signature.Header.RawValue:x}"))}"
        + (signature.RequiredParameterCount == signature.ParameterTypes.Length ? "" : Invariant($"|{signature.RequiredParameterCount}"));

    public virtual string GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) => Of(handle);

    public virtual string GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) => Of(handle);

    public string GetTypeFromSpecification(MetadataReader reader, object? genericContext, TypeSpecificationHandle handle,
        byte rawTypeKind) =>
        reader.GetTypeSpecification(handle).DecodeSignature(this, genericContext);

    public string GetPrimitiveType(PrimitiveTypeCode typeCode) => typeCode.ToString();

    public string GetSZArrayType(string elementType) => elementType + "[]";

    public string GetArrayType(string elementType, ArrayShape shape) =>
        Invariant($"{elementType}[{shape.Rank}:{string.Join(',', shape.Sizes)}:{string.Join(',', shape.LowerBounds)}]");

    public string GetByReferenceType(string elementType) => elementType + "&";

    public string GetPointerType(string elementType) => elementType + "*";

    public string GetPinnedType(string elementType) => elementType + " pinned";

    public string GetGenericInstantiation(string genericType, ImmutableArray<string> typeArguments) =>
        $"{genericType}<{string.Join(',', typeArguments)}>";

    public string GetGenericMethodParameter(object? genericContext, int index) => Invariant($"!!{index}");

    public string GetGenericTypeParameter(object? genericContext, int index) => Invariant($"!{index}");

    public string GetModifiedType(string modifier, string unmodifiedType, bool isRequired) =>
        $"{unmodifiedType} {(isRequired ? "modreq" : "modopt")}({modifier})";

    public string GetFunctionPointerType(MethodSignature<string> signature) => "fn" + Of(signature);

    private static string Qualified(string space, string name) => space.Length == 0 ? name : $"{space}.{name}";
}

/// <summary>Finds the definition that an instantiation, an array or a pointer is made of; nil where it is of another assembly.</summary>
internal sealed class TypeHeads(MetadataReader reader) : ISignatureTypeProvider<EntityHandle, object?>
{
    /// <summary>The definition or reference behind any handle of a type.</summary>
    public EntityHandle Of(EntityHandle handle) => handle.Kind == HandleKind.TypeSpecification
        ? reader.GetTypeSpecification((TypeSpecificationHandle)handle).DecodeSignature(this, null) : handle;

    public EntityHandle GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) => handle;

    public EntityHandle GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) => handle;

    public EntityHandle GetTypeFromSpecification(MetadataReader reader, object? genericContext, TypeSpecificationHandle handle,
        byte rawTypeKind) => Of(handle);

    public EntityHandle GetGenericInstantiation(EntityHandle genericType, ImmutableArray<EntityHandle> typeArguments) => genericType;

    public EntityHandle GetPrimitiveType(PrimitiveTypeCode typeCode) => default;

    public EntityHandle GetSZArrayType(EntityHandle elementType) => default;

    public EntityHandle GetArrayType(EntityHandle elementType, ArrayShape shape) => default;

    public EntityHandle GetByReferenceType(EntityHandle elementType) => default;

    public EntityHandle GetPointerType(EntityHandle elementType) => default;

    public EntityHandle GetPinnedType(EntityHandle elementType) => elementType;

    public EntityHandle GetGenericMethodParameter(object? genericContext, int index) => default;

    public EntityHandle GetGenericTypeParameter(object? genericContext, int index) => default;

    public EntityHandle GetModifiedType(EntityHandle modifier, EntityHandle unmodifiedType, bool isRequired) => unmodifiedType;

    public EntityHandle GetFunctionPointerType(MethodSignature<EntityHandle> signature) => default;
}
