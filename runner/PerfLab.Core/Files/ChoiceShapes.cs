using System.Reflection;
using System.Runtime.CompilerServices;

namespace PerfLab.Core.Files;

/// <summary>An object whose first member says which of several it is: "kind": "azure".</summary>
/// <param name="Name">Of that member.</param>
/// <param name="Kinds">Word -> the object, that member included.</param>
internal sealed record KindShape(string Name, IReadOnlyDictionary<string, ObjectShape> Kinds) : Shape
{
    private static readonly Dictionary<string, ObjectShape> NoKinds = [];

    internal override string Noun => "an object";

    internal override bool HasRules => Kinds.Values.Any(kind => kind.HasRules);

    /// <summary>By the record's type.</summary>
    public required IReadOnlyDictionary<Type, ObjectShape> Types { get; init; }

    internal override bool Takes(JsonValueKind kind) => kind == JsonValueKind.Object;

    internal override void Judge(object value, Validation validation) => Types[value.GetType()].Judge(value, validation);

    [MethodImpl(Optimize.AtFirstCall)]
    private protected override void CheckValue(JsonElement value, Validation validation)
    {
        // TryGetProperty begins at the end.
        foreach (var property in value.EnumerateObject())
        {
            if (IsKind(property, out var shape))
            {
                CheckKind(value, property.Value, shape, validation);
                return;
            }
        }

        new ObjectShape { Members = [new(Name, OneOfThem, IsRequired: true)], Others = new AnyShape { CanBeNull = true } }.Check(value, validation);
    }

    private void CheckKind(JsonElement value, JsonElement word, ObjectShape? shape, Validation validation)
    {
        if (shape is not null)
        {
            shape.Check(value, validation);
            return;
        }

        validation.Enter(Name);
        OneOfThem.Check(word, validation);
        validation.Leave();
    }

    [MethodImpl(Optimize.AtFirstCall)]
    private bool IsKind(JsonProperty property, out ObjectShape? shape)
    {
        shape = null;
        var isKind = false;
        try
        {
            isKind = property.NameEquals(Name);
            foreach (var (word, one) in isKind && property.Value.ValueKind == JsonValueKind.String ? Kinds : NoKinds)
            {
                shape = property.Value.ValueEquals(word) ? one : shape;
            }
        }
        catch (InvalidOperationException)
        {
            // Half a surrogate pair is no name and no word; the shapes say so.
        }

        return isKind;
    }

    private protected override JsonObject Schema(Func<MemberInfo, string?> describe) =>
        new() { ["anyOf"] = new JsonArray([.. Kinds.Values.Select(kind => (JsonNode)kind.ToSchema(describe))]) };

    private TextShape OneOfThem => new() { Words = [.. Kinds.Keys] };
}

/// <summary>One of several that no two kinds of JSON value fit: a word, or an object; text, or a number.</summary>
public sealed record EitherShape(params IReadOnlyList<Shape> Choices) : Shape
{
    internal override string Noun => string.Join(" or ", Choices.Select(choice => choice.Noun));

    internal override bool Takes(JsonValueKind kind) => Choices.Any(choice => choice.Takes(kind));

    private protected override void CheckValue(JsonElement value, Validation validation) =>
        Choices.First(choice => choice.Takes(value.ValueKind)).Check(value, validation);

    private protected override JsonObject Schema(Func<MemberInfo, string?> describe) =>
        new() { ["anyOf"] = new JsonArray([.. Choices.Select(choice => (JsonNode)choice.ToSchema(describe))]) };
}
