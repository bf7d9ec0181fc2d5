using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace PerfLab.Building.Changes;

/// <summary>The types of an assembly: what the runtime lays out and dispatches by, apart from what only reflection sees.</summary>
internal sealed class TypeReader(MetadataReader reader, PEReader image, MemberNames names)
{
    private readonly AttributeText _attributes = new(reader, names.Types);

    /// <summary>"Inner" of "Ns.Outer+Inner`1".</summary>
    public static string Short(string plain)
    {
        var name = plain[(Math.Max(plain.LastIndexOf('.'), plain.LastIndexOf('+')) + 1)..];
        return name.IndexOf('`') is > 0 and var tick ? name[..tick] : name;
    }

    public TypeModel Read(TypeDefinitionHandle handle)
    {
        var type = reader.GetTypeDefinition(handle);
        var attributes = _attributes.Of(type.GetCustomAttributes()) + "\n" + Properties(type) + Events(type);
        return new()
        {
            Id = names.Types.Of(handle),
            Words = Short(names.Types.Plain(handle)),
            IsInterface = type.Attributes.HasFlag(TypeAttributes.Interface),
            IsValue = names.Types.OfAny(type.BaseType) is var above && (above.EndsWith("]System.ValueType", StringComparison.Ordinal)
                || above.EndsWith("]System.Enum", StringComparison.Ordinal)),
            Shape = AssemblyReader.Hash(Shape(handle, type)),
            Attributes = AssemblyReader.Hash(attributes),
            Reflected = AssemblyReader.Hash(Reflected(type, attributes)),
            Above = Heads(type.GetInterfaceImplementations().Select(one =>
                reader.GetInterfaceImplementation(one).Interface).Prepend(type.BaseType)),
            Held = Held(type),
        };
    }

    private HashSet<string> Heads(IEnumerable<EntityHandle> types) =>
        new(types.Where(type => !type.IsNil).Select(names.Head).OfType<string>(), StringComparer.Ordinal);

    private HashSet<string> Held(TypeDefinition type)
    {
        var seen = new SeenTypes(reader);
        foreach (var field in type.GetFields().Select(reader.GetFieldDefinition).Where(field =>
            !field.Attributes.HasFlag(FieldAttributes.Static)))
        {
            field.DecodeSignature(seen, null);
        }

        return seen.Ids;
    }

    /// <summary>Names of made fields are numbers, and those of caches are no layout.</summary>
    private string Shape(TypeDefinitionHandle handle, TypeDefinition type)
    {
        if (names.IsMade(handle))
        {
            return ""; // a part of the methods that name it
        }

        var layout = type.GetLayout();
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture,
            $"{(int)(type.Attributes & ~TypeAttributes.VisibilityMask)} {layout.Size}/{layout.PackingSize} : {names.Types.OfAny(type.BaseType)}");
        text.AppendJoin(',', type.GetInterfaceImplementations().Select(one =>
            names.Types.OfAny(reader.GetInterfaceImplementation(one).Interface)));
        Generics(text, type.GetGenericParameters());
        var isObeyed = _attributes.Of(type.GetCustomAttributes(), name =>
            name.StartsWith("System.Runtime.CompilerServices.", StringComparison.Ordinal)
            && !name.EndsWith(".ExtensionAttribute", StringComparison.Ordinal));
        text.Append(isObeyed);
        foreach (var field in type.GetFields().Select(reader.GetFieldDefinition))
        {
            text.Append(CultureInfo.InvariantCulture,
                $"\n{(int)(field.Attributes & ~FieldAttributes.FieldAccessMask)} {reader.GetString(field.Name)} ")
                .Append(CultureInfo.InvariantCulture,
                    $"{field.DecodeSignature(names.Types, null)} @{field.GetOffset()} {Constant(field.GetDefaultValue())} ")
                .Append(FieldData.Of(reader, image, field)).Append(_attributes.Of(field.GetCustomAttributes()))
                .Append(Blob(field.GetMarshallingDescriptor()));
        }

        foreach (var name in type.GetMethods().Select(method => reader.GetString(reader.GetMethodDefinition(method).Name))
            .Where(name => name is ".cctor" or "Finalize").Order(StringComparer.Ordinal))
        {
            text.Append('\n').Append(name);
        }

        return text.ToString();
    }

    private void Generics(StringBuilder text, GenericParameterHandleCollection parameters)
    {
        foreach (var parameter in parameters.Select(reader.GetGenericParameter))
        {
            text.Append(CultureInfo.InvariantCulture, $" <{(int)parameter.Attributes} ")
                .AppendJoin(' ', parameter.GetConstraints().Select(one =>
                    names.Types.OfAny(reader.GetGenericParameterConstraint(one).Type))).Append('>');
        }
    }

    private string Properties(TypeDefinition type) =>
        string.Join('\n', type.GetProperties().Select(reader.GetPropertyDefinition).Select(property =>
        $"{(int)property.Attributes} {reader.GetString(property.Name)} {TypeNames.Of(property.DecodeSignature(names.Types, null))} {Constant(property.GetDefaultValue())} "
        + _attributes.Of(property.GetCustomAttributes())));

    private string Events(TypeDefinition type) => string.Join('\n', type.GetEvents().Select(reader.GetEventDefinition).Select(one =>
        $"{(int)one.Attributes} {reader.GetString(one.Name)} {names.Types.OfAny(one.Type)} {_attributes.Of(one.GetCustomAttributes())}"));

    private string Reflected(TypeDefinition type, string attributes)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"{(int)type.Attributes}\n{attributes}\n");
        foreach (var parameter in type.GetGenericParameters())
        {
            Parameter(text, reader.GetGenericParameter(parameter));
        }

        foreach (var field in type.GetFields().Select(reader.GetFieldDefinition))
        {
            text.Append(CultureInfo.InvariantCulture,
                $"\n{(int)field.Attributes} {reader.GetString(field.Name)} {field.DecodeSignature(names.Types, null)} ")
                .Append(Constant(field.GetDefaultValue())).Append(_attributes.Of(field.GetCustomAttributes()));
        }

        foreach (var handle in type.GetMethods())
        {
            var method = reader.GetMethodDefinition(handle);
            text.Append(CultureInfo.InvariantCulture, $"\n{(int)method.Attributes} {names.Of(handle)} ")
                .Append(_attributes.Of(method.GetCustomAttributes()));
            foreach (var parameter in method.GetParameters().Select(reader.GetParameter))
            {
                text.Append(CultureInfo.InvariantCulture,
                    $" {parameter.SequenceNumber}:{(int)parameter.Attributes} {reader.GetString(parameter.Name)} ")
                    .Append(Constant(parameter.GetDefaultValue())).Append(_attributes.Of(parameter.GetCustomAttributes()));
            }

            foreach (var parameter in method.GetGenericParameters())
            {
                Parameter(text, reader.GetGenericParameter(parameter));
            }
        }

        return text.ToString();
    }

    private void Parameter(StringBuilder text, GenericParameter parameter) =>
        text.Append(' ').Append(reader.GetString(parameter.Name)).Append(_attributes.Of(parameter.GetCustomAttributes()));

    private string Constant(ConstantHandle handle) => handle.IsNil ? ""
        : Invariant($"={reader.GetConstant(handle).TypeCode}:{Blob(reader.GetConstant(handle).Value)}");

    private string Blob(BlobHandle blob) => blob.IsNil ? "" : Convert.ToHexStringLower(reader.GetBlobBytes(blob));

    /// <summary>Which types a signature names.</summary>
    private sealed class SeenTypes(MetadataReader reader) : TypeNames(reader)
    {
        public HashSet<string> Ids { get; } = new(StringComparer.Ordinal);

        public override string GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) =>
            Seen(Of(handle));

        public override string GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) =>
            Seen(Of(handle));

        private string Seen(string id)
        {
            Ids.Add(id);
            return id;
        }
    }
}
