using System.Reflection.Metadata;

namespace PerfLab.Building.Changes;

/// <summary>
/// Methods without a body that stand for a member of another type, by its name in an attribute: the JIT compiles that member into whoever
/// calls them, and no instruction names it.
/// </summary>
internal static class UnsafeAccessors
{
    private const string Space = "System.Runtime.CompilerServices", Attribute = "UnsafeAccessorAttribute";

    /// <summary>The first value of UnsafeAccessorKind.</summary>
    private const int Constructor = 0;

    /// <summary>The name of what it calls; null where it is no such method.</summary>
    /// <exception cref="BadImageFormatException">The attribute can't be read.</exception>
    public static string? Called(MetadataReader reader, MethodDefinition method)
    {
        var attribute = method.GetCustomAttributes().Select(reader.GetCustomAttribute).Where(one => IsAccessor(reader, one)).ToList();
        if (attribute.Count == 0)
        {
            return null;
        }

        // Prolog, kind, how many named values, and of each: property or field, its type, its name, itself. There is only one.
        var blob = reader.GetBlobReader(attribute[0].Value);
        blob.ReadUInt16();
        if (blob.ReadInt32() == Constructor)
        {
            return ".ctor";
        }

        if (blob.ReadUInt16() == 0)
        {
            return reader.GetString(method.Name);
        }

        blob.ReadUInt16();
        blob.ReadSerializedString();
        return blob.ReadSerializedString() ?? reader.GetString(method.Name);
    }

    private static bool IsAccessor(MetadataReader reader, CustomAttribute attribute) =>
        attribute.Constructor.Kind == HandleKind.MemberReference
        && reader.GetMemberReference((MemberReferenceHandle)attribute.Constructor).Parent is { Kind: HandleKind.TypeReference } parent
        && reader.GetTypeReference((TypeReferenceHandle)parent) is var type
        && reader.StringComparer.Equals(type.Name, Attribute) && reader.StringComparer.Equals(type.Namespace, Space);
}
