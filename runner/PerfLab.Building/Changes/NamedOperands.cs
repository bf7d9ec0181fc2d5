using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace PerfLab.Building.Changes;

/// <summary>
/// What instructions name, as text, and what it means for the method that they are of: what it calls, which types it names. What the
/// compiler made
/// has no name but a number, in the order in which it is come across.
/// </summary>
internal abstract class NamedOperands(MetadataReader reader, MemberNames names) : TypeNames(reader)
{
    private readonly Dictionary<EntityHandle, int> _numbers = [];
    private readonly Queue<EntityHandle> _pending = new();

    public HashSet<string> Calls { get; } = new(StringComparer.Ordinal);

    public HashSet<string> Dispatched { get; } = new(StringComparer.Ordinal);

    public HashSet<string> NamedTypes { get; } = new(StringComparer.Ordinal);

    public HashSet<string> Touched { get; } = new(StringComparer.Ordinal);

    protected MemberNames Names => names;

    /// <summary>The instruction before was a prefix that makes the next call a dispatched one.</summary>
    protected bool IsConstrained { get; set; }

    public override string GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind)
    {
        if (!Names.IsMade(handle))
        {
            NamedTypes.Add(Of(handle));
            return Of(handle);
        }

        return Numbered(handle);
    }

    public override string GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind)
    {
        NamedTypes.Add(Of(handle));
        return Of(handle);
    }

    /// <summary>"$3" in place of the name of what the compiler made; its own text is asked for with <see cref="Next"/>.</summary>
    protected string Numbered(EntityHandle handle)
    {
        if (!_numbers.ContainsKey(handle))
        {
            _pending.Enqueue(handle);
        }

        return Number(handle);
    }

    protected string Number(EntityHandle handle)
    {
        if (!_numbers.TryGetValue(handle, out var number))
        {
            _numbers[handle] = number = _numbers.Count;
        }

        return Invariant($"${number}");
    }

    protected bool Next(out EntityHandle handle) => _pending.TryDequeue(out handle);

    protected string Operand(OpCode code, int token)
    {
        if (code.OperandType == OperandType.InlineString)
        {
            return Reader.GetUserString((UserStringHandle)MetadataTokens.Handle(token));
        }

        var handle = (EntityHandle)MetadataTokens.Handle(token);
        switch (handle.Kind)
        {
            case HandleKind.MethodDefinition or HandleKind.MethodSpecification:
                return MethodOf(handle, follows: true, code);
            case HandleKind.MemberReference when Reader.GetMemberReference((MemberReferenceHandle)handle)
                .GetKind() == MemberReferenceKind.Method:
                return MethodOf(handle, follows: true, code);
            case HandleKind.MemberReference:
                return FieldOf(Reader.GetMemberReference((MemberReferenceHandle)handle));
            case HandleKind.FieldDefinition:
                var field = (FieldDefinitionHandle)handle;
                var declared = Reader.GetFieldDefinition(field);
                return FieldOf(field, declared.GetDeclaringType(), OfAny(declared.GetDeclaringType()));
            case HandleKind.StandaloneSignature:
                return Of(Reader.GetStandaloneSignature((StandaloneSignatureHandle)handle).DecodeMethodSignature(this, null));
            default:
                Touch(handle);
                return OfAny(handle);
        }
    }

    private string FieldOf(MemberReference member)
    {
        var (definition, type) = Names.Defined(member);
        var parent = OfAny(member.Parent);
        if (definition.Kind == HandleKind.FieldDefinition && !definition.IsNil)
        {
            return FieldOf((FieldDefinitionHandle)definition, type, parent);
        }

        Touch(member.Parent);
        return $"{parent}::{Reader.GetString(member.Name)}:{member.DecodeFieldSignature(this, null)}";
    }

    private string FieldOf(FieldDefinitionHandle field, TypeDefinitionHandle type, string parent)
    {
        var declared = Reader.GetFieldDefinition(field);
        if (Names.IsMade(type))
        {
            return $"{parent}::{Numbered(field)}";
        }

        Touch(type);
        return $"{parent}::{Reader.GetString(declared.Name)}:{declared.DecodeSignature(this, null)}";
    }

    /// <param name="follows">Whether it is called: else it is only named.</param>
    protected string MethodOf(EntityHandle handle, bool follows, OpCode code = default)
    {
        switch (handle.Kind)
        {
            case HandleKind.MethodSpecification:
                var generic = Reader.GetMethodSpecification((MethodSpecificationHandle)handle);
                return $"{MethodOf(generic.Method, follows, code)}<{string.Join(',', generic.DecodeSignature(this, null))}>";
            case HandleKind.MethodDefinition:
                var method = (MethodDefinitionHandle)handle;
                var type = Reader.GetMethodDefinition(method).GetDeclaringType();
                return MethodOf(method, type, OfAny(type), follows, code);
            default:
                var member = Reader.GetMemberReference((MemberReferenceHandle)handle);
                var parent = member.Parent.Kind == HandleKind.MethodDefinition ? "" : OfAny(member.Parent);
                var (definition, owner) = Names.Defined(member);
                var signature = Of(member.DecodeMethodSignature(this, null));
                if (definition is { IsNil: false, Kind: HandleKind.MethodDefinition })
                {
                    return MethodOf((MethodDefinitionHandle)definition, owner, parent, follows, code) + signature;
                }

                Follow(Names.Of(member), follows, code);
                TouchIf(follows, member.Parent);
                return $"{parent}::{Reader.GetString(member.Name)}{signature}";
        }
    }

    private string MethodOf(MethodDefinitionHandle method, TypeDefinitionHandle type, string parent, bool follows, OpCode code)
    {
        if (Names.IsMade(method))
        {
            return $"{parent}::{Numbered(method)}";
        }

        Follow(Names.Of(method), follows, code);
        TouchIf(follows, type);
        var definition = Reader.GetMethodDefinition(method);
        return $"{parent}::{Reader.GetString(definition.Name)}{Of(definition.DecodeSignature(this, null))}";
    }

    private void Follow(string? id, bool follows, OpCode code)
    {
        if (id is null || !follows)
        {
            return;
        }

        Calls.Add(id);
        // A constrained `call` is dispatched as well: a static abstract member.
        if (IsConstrained || code.Value == OpCodes.Callvirt.Value || code.Value == OpCodes.Ldvirtftn.Value
            || code.Value == OpCodes.Ldtoken.Value)
        {
            Dispatched.Add(MemberNames.Slot(id));
        }
    }

    private void TouchIf(bool follows, EntityHandle type)
    {
        if (follows && type.Kind != HandleKind.MethodDefinition)
        {
            Touch(type);
        }
    }

    private void Touch(EntityHandle type)
    {
        if (Names.Head(type) is { } head)
        {
            Touched.Add(head);
        }
    }
}
