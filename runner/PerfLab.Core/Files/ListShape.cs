using System.Collections;
using System.Reflection;

namespace PerfLab.Core.Files;

/// <summary>Values of one shape, one after the other.</summary>
public sealed record ListShape(Shape Items) : Shape
{
    public int LeastCount { get; init; }
    public int MostCount { get; init; } = int.MaxValue;

    internal override string Noun => "a list";

    internal override bool HasRules => Items.HasRules;

    internal override bool Takes(JsonValueKind kind) => kind == JsonValueKind.Array;

    internal override void Judge(object value, Validation validation)
    {
        var index = 0;
        foreach (var item in HasRules ? (IEnumerable)value : Array.Empty<object>())
        {
            validation.Enter(index++);
            Items.Judge(item, validation);
            validation.Leave();
        }
    }

    private protected override void CheckValue(JsonElement value, Validation validation)
    {
        var count = value.GetArrayLength();
        if (count < LeastCount || count > MostCount)
        {
            var (side, bound) = count < LeastCount ? ("least", LeastCount) : ("most", MostCount);
            validation.Add(Invariant($"must have at {side} {bound} {(bound == 1 ? "item" : "items")}, has {count}"));
        }

        var index = 0;
        foreach (var item in value.EnumerateArray())
        {
            if (validation.IsFull)
            {
                return;
            }

            validation.Enter(index++);
            Items.Check(item, validation);
            validation.Leave();
        }
    }

    private protected override JsonObject Schema(Func<MemberInfo, string?> describe)
    {
        var schema = new JsonObject { ["type"] = "array", ["items"] = Items.ToSchema(describe) };
        Set(schema, "minItems", LeastCount > 0 ? LeastCount : null);
        Set(schema, "maxItems", MostCount < int.MaxValue ? MostCount : null);
        return schema;
    }
}
