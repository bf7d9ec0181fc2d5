using System.Reflection;
using System.Runtime.CompilerServices;

namespace PerfLab.Core.Files;

/// <summary>An object whose first member says which of several it is: "kind": "azure".</summary>
/// <param name="Name">Of that member.</param>
/// <param name="Kinds">Word -> the object, that member included.</param>
internal sealed record KindShape(string Name, IReadOnlyDictionary<string, ObjectShape> Kinds) : Shape
{
    internal override string Noun => "an object";

    internal override bool HasRules => Kinds.Values.Any(kind => kind.HasRules);

    /// <summary>By the record's type.</summary>
    public required IReadOnlyDictionary<Type, ObjectShape> Types { get; init; }

    internal override bool Takes(JsonValueKind kind) => kind == JsonValueKind.Object;

    internal override void Judge(object value, Walk walk) => Types[value.GetType()].Judge(value, walk);

    [MethodImpl(Fast.FromTheStart)]
    private protected override void CheckValue(JsonElement value, Walk walk)
    {
        // TryGetProperty begins at the end.
        foreach (var property in value.EnumerateObject())
        {
            if (property.NameEquals(Name))
            {
                CheckKind(value, property.Value, walk);
                return;
            }
        }

        new ObjectShape { Members = [new(Name, OneOfThem, IsRequired: true)], Others = new AnyShape { CanBeNull = true } }.Check(value, walk);
    }

    [MethodImpl(Fast.FromTheStart)]
    private void CheckKind(JsonElement value, JsonElement word, Walk walk)
    {
        foreach (var (kind, shape) in Kinds)
        {
            if (word.ValueKind == JsonValueKind.String && word.ValueEquals(kind))
            {
                shape.Check(value, walk);
                return;
            }
        }

        walk.Enter(Name);
        OneOfThem.Check(word, walk);
        walk.Leave();
    }

    private protected override JsonObject Schema(Func<MemberInfo, string?> describe) =>
        new() { ["anyOf"] = new JsonArray([.. Kinds.Values.Select(kind => (JsonNode)kind.ToSchema(describe))]) };
}

/// <summary>One of several that no two kinds of JSON value fit: a word, or an object; text, or a number.</summary>
public sealed record EitherShape(params IReadOnlyList<Shape> Choices) : Shape
{
    internal override string Noun => string.Join(" or ", Choices.Select(choice => choice.Noun));

    internal override bool Takes(JsonValueKind kind) => Choices.Any(choice => choice.Takes(kind));

    private protected override void CheckValue(JsonElement value, Walk walk) =>
        Choices.First(choice => choice.Takes(value.ValueKind)).Check(value, walk);

    private protected override JsonObject Schema(Func<MemberInfo, string?> describe) =>
        new() { ["anyOf"] = new JsonArray([.. Choices.Select(choice => (JsonNode)choice.ToSchema(describe))]) };
}
