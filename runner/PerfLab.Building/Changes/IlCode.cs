using System.Reflection;
using System.Reflection.Emit;

namespace PerfLab.Building.Changes;

/// <summary>One instruction: its code, and its operand as bytes.</summary>
internal readonly ref struct IlInstruction(OpCode code, ReadOnlySpan<byte> operand)
{
    public OpCode Code { get; } = code;

    public ReadOnlySpan<byte> Operand { get; } = operand;

    /// <summary>Whether the operand is a token.</summary>
    public bool HasToken => Code.OperandType is OperandType.InlineField or OperandType.InlineMethod or OperandType.InlineSig
        or OperandType.InlineString or OperandType.InlineTok or OperandType.InlineType;

    public int Token => BitConverter.ToInt32(Operand);
}

/// <summary>Walks the instructions of a method body (ECMA-335, partition III).</summary>
internal ref struct IlCode(ReadOnlySpan<byte> bytes)
{
    private static readonly Dictionary<ushort, OpCode> Codes = typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(field => (OpCode)field.GetValue(null)!).ToDictionary(code => (ushort)code.Value);

    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private int _at;

    /// <summary>False at the end.</summary>
    /// <exception cref="InvalidDataException">The body is cut, or holds what is no instruction.</exception>
    public bool Next(out IlInstruction instruction)
    {
        instruction = default;
        if (_at >= _bytes.Length)
        {
            return false;
        }

        ushort number = _bytes[_at++];
        if (number == 0xFE && _at < _bytes.Length)
        {
            number = (ushort)(0xFE00 | _bytes[_at++]);
        }

        if (!Codes.TryGetValue(number, out var code))
        {
            throw new InvalidDataException($"0x{number:x} is no instruction");
        }

        var size = Size(code.OperandType);
        if (size < 0 || _at + size > _bytes.Length)
        {
            throw new InvalidDataException("a method body is cut");
        }

        instruction = new(code, _bytes.Slice(_at, size));
        _at += size;
        return true;
    }

    private readonly int Size(OperandType type) => type switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        OperandType.InlineSwitch => _at + 4 > _bytes.Length || BitConverter.ToUInt32(_bytes[_at..]) is not (<= 1 << 20 and var cases)
            ? -1 : 4 + (4 * (int)cases),
        _ => 4,
    };
}
