using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Security.Cryptography;

namespace PerfLab.Building.Changes;

/// <summary>The bytes that a field has in the image (`new byte[] { 1, 2 }`), by their hash; empty for a field without.</summary>
internal static class FieldData
{
    public static string Of(MetadataReader reader, PEReader image, FieldDefinition field)
    {
        if (!field.Attributes.HasFlag(FieldAttributes.HasFieldRVA) || field.GetRelativeVirtualAddress() == 0)
        {
            return "";
        }

        var section = image.GetSectionData(field.GetRelativeVirtualAddress());
        var size = field.DecodeSignature(new Sizes(), null);
        return Convert.ToHexStringLower(SHA256.HashData(section.GetContent(0, Math.Clamp(size, 0, section.Length)).AsSpan()));
    }

    /// <summary>Bytes of a type of such a field: a number, or a structure with a size.</summary>
    private sealed class Sizes : ISignatureTypeProvider<int, object?>
    {
        public int GetPrimitiveType(PrimitiveTypeCode typeCode) => typeCode switch
        {
            PrimitiveTypeCode.Boolean or PrimitiveTypeCode.Byte or PrimitiveTypeCode.SByte => 1,
            PrimitiveTypeCode.Char or PrimitiveTypeCode.Int16 or PrimitiveTypeCode.UInt16 => 2,
            PrimitiveTypeCode.Int32 or PrimitiveTypeCode.UInt32 or PrimitiveTypeCode.Single => 4,
            _ => 8,
        };

        public int GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) =>
            reader.GetTypeDefinition(handle).GetLayout().Size;

        // Nobody's field has bytes and such a type; were there one, all that follows counts.
        public int GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) => int.MaxValue;

        public int GetTypeFromSpecification(MetadataReader reader, object? genericContext, TypeSpecificationHandle handle,
            byte rawTypeKind) => int.MaxValue;

        public int GetSZArrayType(int elementType) => int.MaxValue;

        public int GetArrayType(int elementType, ArrayShape shape) => int.MaxValue;

        public int GetByReferenceType(int elementType) => int.MaxValue;

        public int GetPointerType(int elementType) => 8;

        public int GetPinnedType(int elementType) => elementType;

        public int GetGenericInstantiation(int genericType, System.Collections.Immutable.ImmutableArray<int> typeArguments) => int.MaxValue;

        public int GetGenericMethodParameter(object? genericContext, int index) => int.MaxValue;

        public int GetGenericTypeParameter(object? genericContext, int index) => int.MaxValue;

        public int GetModifiedType(int modifier, int unmodifiedType, bool isRequired) => unmodifiedType;

        public int GetFunctionPointerType(MethodSignature<int> signature) => 8;
    }
}
