using System.Reflection;
using System.Runtime.CompilerServices;

namespace PerfLab.Core.Files;

/// <summary>A finite number, whole or not.</summary>
public sealed record NumberShape : Shape
{
    public bool IsWhole { get; init; }

    /// <summary>Null: no bound but that of finite numbers.</summary>
    public decimal? Least { get; init; }
    public decimal? Most { get; init; }
    public bool IsMoreThanLeast { get; init; }
    public bool IsLessThanMost { get; init; }

    internal override string Noun => IsWhole ? "a whole number" : "a finite number";

    private string Bounds => (Least, Most) switch
    {
        ({ } least, null or int.MaxValue or long.MaxValue or ulong.MaxValue) => IsMoreThanLeast ? Text($" above {least}") : Text($" of {least} or more"),
        ({ } least, { } most) => Text($" {(IsMoreThanLeast ? "above" : "from")} {least} {(IsLessThanMost ? "and below" : "to")} {most}"),
        (null, { } most) => IsLessThanMost ? Text($" below {most}") : Text($" of {most} or less"),
        _ => "",
    };

    internal override bool Takes(JsonValueKind kind) => kind == JsonValueKind.Number;

    [MethodImpl(Fast.FromTheStart)]
    private protected override void CheckValue(JsonElement value, Walk walk)
    {
        if (!IsGood(value))
        {
            // Digits, signs and an e: a number can do no harm.
            walk.Add($"must be {Noun}{Bounds}{(CanBeNull ? " or null" : "")}, is {Walk.Shown(value.GetRawText(), 30)}");
        }
    }

    private protected override JsonObject Schema(Func<MemberInfo, string?> describe)
    {
        var schema = new JsonObject { ["type"] = IsWhole ? "integer" : "number" };
        if (Least is { } least)
        {
            schema[IsMoreThanLeast ? "exclusiveMinimum" : "minimum"] = least;
        }

        if (Most is { } most)
        {
            schema[IsLessThanMost ? "exclusiveMaximum" : "maximum"] = most;
        }

        return schema;
    }

    [MethodImpl(Fast.FromTheStart)]
    private bool IsGood(JsonElement value)
    {
        if (IsWhole && value.TryGetInt64(out var whole))
        {
            return IsInside(decimal.Compare(whole, Least ?? whole), decimal.Compare(whole, Most ?? whole), Least is null, Most is null);
        }

        if (!value.TryGetDouble(out var number) || !double.IsFinite(number))
        {
            return false;
        }

        if (!IsWhole && (Least is null || number > (double)Least) && (Most is null || number < (double)Most))
        {
            return true;
        }

        // Exactly at a bound; those of other numbers that no decimal can hold are compared as what they are.
        if (IsWhole ? value.TryGetUInt64(out _) : Math.Abs(number) < 1e27)
        {
            return value.TryGetDecimal(out var exact) && IsInside(exact.CompareTo(Least ?? exact), exact.CompareTo(Most ?? exact), Least is null, Most is null);
        }

        return !IsWhole && IsInside(number.CompareTo((double)(Least ?? 0)), number.CompareTo((double)(Most ?? 0)), Least is null, Most is null);
    }

    [MethodImpl(Fast.FromTheStart)]
    private bool IsInside(int toLeast, int toMost, bool isOpenBelow, bool isOpenAbove) =>
        (isOpenBelow || (IsMoreThanLeast ? toLeast > 0 : toLeast >= 0)) && (isOpenAbove || (IsLessThanMost ? toMost < 0 : toMost <= 0));

    private static string Text(FormattableString text) => FormattableString.Invariant(text);
}

/// <summary>true or false.</summary>
public sealed record FlagShape : Shape
{
    internal override string Noun => "true or false";

    internal override bool Takes(JsonValueKind kind) => kind is JsonValueKind.True or JsonValueKind.False;

    private protected override void CheckValue(JsonElement value, Walk walk)
    {
    }

    private protected override JsonObject Schema(Func<MemberInfo, string?> describe) => new() { ["type"] = "boolean" };
}

/// <summary>Whatever JSON can say; names, text and numbers in it are valid all the same, and no member is there twice.</summary>
public sealed record AnyShape : Shape
{
    private static readonly ObjectShape FreeObject = new() { Others = new AnyShape { CanBeNull = true } };
    private static readonly ListShape FreeList = new(new AnyShape { CanBeNull = true });
    private static readonly TextShape FreeText = new();
    private static readonly NumberShape FreeNumber = new();

    internal override string Noun => "a value";

    internal override bool Takes(JsonValueKind kind) => kind != JsonValueKind.Null;

    private protected override void CheckValue(JsonElement value, Walk walk)
    {
        Shape? shape = value.ValueKind switch
        {
            JsonValueKind.Object => FreeObject,
            JsonValueKind.Array => FreeList,
            JsonValueKind.String => FreeText,
            JsonValueKind.Number => FreeNumber,
            _ => null,
        };
        shape?.Check(value, walk);
    }

    private protected override JsonObject Schema(Func<MemberInfo, string?> describe) => [];
}
