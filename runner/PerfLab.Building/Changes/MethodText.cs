using System.Reflection;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace PerfLab.Building.Changes;

/// <summary>
/// One method as text, with everything that the compiler made for it: those things have no names of their own, but a number in the order
/// in which
/// they are come across, and their text follows. So a lambda that is added to another method changes nothing here.
/// </summary>
internal sealed class MethodText : NamedOperands
{
    private readonly PEReader _image;
    private readonly AttributeText _attributes;
    private readonly StringBuilder _text = new();

    private MethodText(MetadataReader reader, PEReader image, MemberNames names)
        : base(reader, names)
    {
        _image = image;
        _attributes = new(reader, this);
    }

    /// <summary>Methods that the compiler made for it.</summary>
    public List<MethodDefinitionHandle> Parts { get; } = [];

    /// <summary>Its own body never returns.</summary>
    public bool OnlyThrows { get; private set; }

    public string Text => _text.ToString();

    public static MethodText Of(MetadataReader reader, PEReader image, MemberNames names, MethodDefinitionHandle handle)
    {
        var text = new MethodText(reader, image, names);
        text.Number(handle);
        text.OnlyThrows = text.Method(handle, isNamed: true);
        while (text.Next(out var next))
        {
            text.Made(next);
        }

        return text;
    }

    private void Made(EntityHandle handle)
    {
        _text.Append(CultureInfo.InvariantCulture, $"\n{Number(handle)} is ");
        switch (handle.Kind)
        {
            case HandleKind.TypeDefinition:
                MadeType((TypeDefinitionHandle)handle);
                break;
            case HandleKind.FieldDefinition:
                Field((FieldDefinitionHandle)handle);
                break;
            default:
                Parts.Add((MethodDefinitionHandle)handle);
                Method((MethodDefinitionHandle)handle, isNamed: false);
                break;
        }
    }

    private void MadeType(TypeDefinitionHandle handle)
    {
        var type = Reader.GetTypeDefinition(handle);
        var layout = type.GetLayout();
        _text.Append(CultureInfo.InvariantCulture,
            $"type {(int)(type.Attributes & ~TypeAttributes.VisibilityMask)} {layout.Size}/{layout.PackingSize} : {OfAny(type.BaseType)}");
        foreach (var implemented in type.GetInterfaceImplementations())
        {
            _text.Append(", ").Append(OfAny(Reader.GetInterfaceImplementation(implemented).Interface));
        }

        Generics(type.GetGenericParameters());
        if (Names.IsShared(handle))
        {
            foreach (var constructor in type.GetMethods().Where(method =>
                Reader.GetString(Reader.GetMethodDefinition(method).Name) is ".ctor" or ".cctor"))
            {
                _text.Append(' ').Append(Numbered(constructor));
            }

            return;
        }

        foreach (var field in type.GetFields())
        {
            _text.Append(' ').Append(Numbered(field));
        }

        foreach (var method in type.GetMethods())
        {
            _text.Append(' ').Append(Numbered(method));
        }
    }

    private void Field(FieldDefinitionHandle handle)
    {
        var field = Reader.GetFieldDefinition(handle);
        _text.Append(CultureInfo.InvariantCulture,
            $"field {(int)(field.Attributes & ~FieldAttributes.FieldAccessMask)} {field.DecodeSignature(this, null)} ")
            .Append(FieldData.Of(Reader, _image, field));
    }

    /// <summary>True when it never returns.</summary>
    private bool Method(MethodDefinitionHandle handle, bool isNamed)
    {
        var method = Reader.GetMethodDefinition(handle);
        var name = Reader.GetString(method.Name);
        _text.Append(CultureInfo.InvariantCulture,
            $"method {(int)(method.Attributes & ~MethodAttributes.MemberAccessMask)}/{(int)method.ImplAttributes} ")
            .Append(isNamed || !MemberNames.IsMade(name) ? name : "").Append(Of(method.DecodeSignature(this, null)));
        Generics(method.GetGenericParameters());
        _text.Append(" [").Append(_attributes.Of(method.GetCustomAttributes())).Append(']');
        if (method.Attributes.HasFlag(MethodAttributes.PinvokeImpl))
        {
            var import = method.GetImport();
            _text.Append(CultureInfo.InvariantCulture,
                $" import {(int)import.Attributes} {OfAny(import.Module)} {Reader.GetString(import.Name)}");
        }

        foreach (var parameter in method.GetParameters().Select(Reader.GetParameter))
        {
            var marshalled = parameter.GetMarshallingDescriptor();
            _text.Append(CultureInfo.InvariantCulture,
                $" {parameter.SequenceNumber}:{(int)(parameter.Attributes & (ParameterAttributes.In | ParameterAttributes.Out))}")
                .Append(marshalled.IsNil ? "" : Convert.ToHexStringLower(Reader.GetBlobBytes(marshalled)));
        }

        Overrides(handle, method);
        return method.RelativeVirtualAddress != 0 && Body(_image.GetMethodBody(method.RelativeVirtualAddress));
    }

    private void Overrides(MethodDefinitionHandle handle, MethodDefinition method)
    {
        foreach (var implementation in Reader.GetTypeDefinition(method.GetDeclaringType()).GetMethodImplementations()
            .Select(Reader.GetMethodImplementation))
        {
            if (implementation.MethodBody == handle)
            {
                _text.Append(" overrides ").Append(MethodOf(implementation.MethodDeclaration, follows: false));
            }
        }
    }

    private void Generics(GenericParameterHandleCollection parameters)
    {
        foreach (var parameter in parameters.Select(Reader.GetGenericParameter))
        {
            _text.Append(CultureInfo.InvariantCulture, $" <{(int)parameter.Attributes}");
            foreach (var constraint in parameter.GetConstraints())
            {
                _text.Append(' ').Append(OfAny(Reader.GetGenericParameterConstraint(constraint).Type));
            }

            _text.Append('>');
        }
    }

    private bool Body(MethodBodyBlock body)
    {
        _text.Append(CultureInfo.InvariantCulture, $" init {body.LocalVariablesInitialized} (");
        if (!body.LocalSignature.IsNil)
        {
            _text.AppendJoin(',', Reader.GetStandaloneSignature(body.LocalSignature).DecodeLocalSignature(this, null));
        }

        _text.Append(')');
        foreach (var region in body.ExceptionRegions)
        {
            _text.Append(CultureInfo.InvariantCulture,
                $" {region.Kind} {region.TryOffset}+{region.TryLength} {region.HandlerOffset}+{region.HandlerLength} ")
                .Append(CultureInfo.InvariantCulture, $"{region.FilterOffset} {OfAny(region.CatchType)}");
        }

        var (returns, throws) = (false, false);
        var code = new IlCode(body.GetILContent().AsSpan());
        while (code.Next(out var instruction))
        {
            returns |= instruction.Code.Value == OpCodes.Ret.Value || instruction.Code.Value == OpCodes.Jmp.Value;
            throws |= instruction.Code.Value == OpCodes.Throw.Value || instruction.Code.Value == OpCodes.Rethrow.Value;
            _text.Append('\n').Append(instruction.Code.Name).Append(' ')
                .Append(instruction.HasToken ? Operand(instruction.Code, instruction.Token)
                    : Convert.ToHexStringLower(instruction.Operand));
            IsConstrained = instruction.Code.Value == OpCodes.Constrained.Value;
        }

        return throws && !returns;
    }
}
