using System.Reflection;
using System.Runtime.CompilerServices;

namespace PerfLab.Core.Files;

/// <summary>A finite number.</summary>
/// <param name="Fits">Whether it is one of a whole type, exactly; null: any number will do.</param>
public sealed record NumberShape(Func<JsonElement, bool>? Fits = null) : Shape
{
    /// <summary>Null: no bound but the type's.</summary>
    public double? Least { get; init; }
    public double? Most { get; init; }
    public bool IsMoreThanLeast { get; init; }
    public bool IsLessThanMost { get; init; }

    internal override string Noun => Fits is null ? "a finite number" : "a whole number";

    private string Bounds => (Least, Most) switch
    {
        ({ } least, null or int.MaxValue) => Invariant($" {(IsMoreThanLeast ? "above" : "of at least")} {least}"),
        ({ } least, { } most) =>
            Invariant($" {(IsMoreThanLeast ? "above" : "from")} {least} {(IsLessThanMost ? "and below" : "to")} {most}"),
        (null, { } most) => Invariant($" {(IsLessThanMost ? "below" : "of at most")} {most}"),
        _ => "",
    };

    internal override bool Takes(JsonValueKind kind) => kind == JsonValueKind.Number;

    [MethodImpl(Optimize.AtFirstCall)]
    private protected override void CheckValue(JsonElement value, Validation validation)
    {
        var isGood = value.TryGetDouble(out var number) && double.IsFinite(number) && Fits?.Invoke(value) != false
            && (IsMoreThanLeast ? !(number <= Least) : !(number < Least)) && (IsLessThanMost ? !(number >= Most) : !(number > Most));
        if (!isGood)
        {
            // Digits, signs and an e: a number can do no harm.
            validation.Add($"must be {Noun}{Bounds}{(CanBeNull ? " or null" : "")}, is {Validation.Shown(value.GetRawText(), 30)}");
        }
    }

    private protected override JsonObject Schema(Func<MemberInfo, string?> describe)
    {
        var schema = new JsonObject { ["type"] = Fits is null ? "number" : "integer" };
        Set(schema, IsMoreThanLeast ? "exclusiveMinimum" : "minimum", Least);
        Set(schema, IsLessThanMost ? "exclusiveMaximum" : "maximum", Most);
        return schema;
    }
}

/// <summary>true or false.</summary>
public sealed record FlagShape : Shape
{
    internal override string Noun => "true or false";

    internal override bool Takes(JsonValueKind kind) => kind is JsonValueKind.True or JsonValueKind.False;

    private protected override void CheckValue(JsonElement value, Validation validation)
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

    private protected override void CheckValue(JsonElement value, Validation validation)
    {
        Shape? shape = value.ValueKind switch
        {
            JsonValueKind.Object => FreeObject,
            JsonValueKind.Array => FreeList,
            JsonValueKind.String => FreeText,
            JsonValueKind.Number => FreeNumber,
            _ => null,
        };
        shape?.Check(value, validation);
    }

    private protected override JsonObject Schema(Func<MemberInfo, string?> describe) => [];
}
