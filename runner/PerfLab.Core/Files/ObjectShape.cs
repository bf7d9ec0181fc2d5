using System.Collections;
using System.Reflection;

namespace PerfLab.Core.Files;

/// <summary>A member of an object.</summary>
/// <param name="Name">In the file.</param>
/// <param name="IsRequired">It may not be left out.</param>
/// <param name="Get">From the record, where there is one.</param>
/// <param name="Info">The record's own member, where there is one.</param>
public sealed record Member(string Name, Shape Shape, bool IsRequired, Func<object, object?>? Get = null, MemberInfo? Info = null)
{
    internal byte[] Utf8 { get; } = Encoding.UTF8.GetBytes(Name);
}

/// <summary>An object: a record with members that are known, a map whose keys are free, or both.</summary>
public sealed record ObjectShape : Shape
{
    /// <summary>Names that are longer than this are no typing errors.</summary>
    private const int LongestSuggested = 40;

    public IReadOnlyList<Member> Members { get; init; } = [];

    /// <summary>What members with other names may be; null: there are none.</summary>
    public Shape? Others { get; init; }

    /// <summary>The form of other names.</summary>
    public TextShape? Keys { get; init; }
    public int LeastCount { get; init; }

    /// <summary>Name -> why there is no such member (<see cref="GoneAttribute"/>).</summary>
    public IReadOnlyDictionary<string, string> Gone { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    internal bool IsChecked { get; init; }

    internal override string Noun => "an object";

    internal override bool HasRules => IsChecked || Others?.HasRules == true || Members.Any(member => member.Shape.HasRules);

    internal override bool Takes(JsonValueKind kind) => kind == JsonValueKind.Object;

    internal override void Judge(object value, Walk walk)
    {
        if (value is IChecked record)
        {
            foreach (var (where, what, suggestion) in record.Problems())
            {
                var path = walk.Path;
                walk.Add(path.Length == 0 ? where : where.Length == 0 ? path : $"{path}.{where}", what, suggestion);
            }
        }

        foreach (var member in Members.Where(member => member.Shape.HasRules))
        {
            Judge(member.Name, member.Shape, member.Get!(value), walk);
        }

        foreach (DictionaryEntry pair in Others?.HasRules == true ? (IDictionary)value : new Hashtable())
        {
            Judge((string)pair.Key, Others!, pair.Value, walk);
        }
    }

    private protected override void CheckValue(JsonElement value, Walk walk)
    {
        var seen = new bool[Members.Count];
        HashSet<string>? others = null;
        var next = Members.Count;
        foreach (var property in value.EnumerateObject())
        {
            if (walk.IsFull)
            {
                return;
            }

            if (NameOf(property, ref next) is not { } name)
            {
                walk.Add("holds a name with half a surrogate pair, which is no character");
                continue;
            }

            walk.Enter(name);
            var member = next < Members.Count && ReferenceEquals(Members[next].Name, name) ? Members[next] : null;
            if (member is null ? !(others ??= new(StringComparer.Ordinal)).Add(name) : seen[next])
            {
                walk.Add("is there twice");
            }
            else if (member is not null)
            {
                seen[next] = true;
                member.Shape.Check(property.Value, walk);
            }
            else
            {
                CheckOther(name, property.Value, walk);
            }

            walk.Leave();
        }

        foreach (var missing in Members.Where((member, index) => member.IsRequired && !seen[index]))
        {
            walk.Enter(missing.Name);
            walk.Add("is missing");
            walk.Leave();
        }

        if (value.GetPropertyCount() < LeastCount)
        {
            walk.Add(string.Create(CultureInfo.InvariantCulture, $"must have at least {LeastCount} members"));
        }
    }

    private protected override JsonObject Schema(Func<MemberInfo, string?> describe)
    {
        var schema = new JsonObject { ["type"] = "object" };
        if (Members.Count > 0)
        {
            schema["properties"] = new JsonObject(Members.Select(member => KeyValuePair.Create<string, JsonNode?>(member.Name, Described(member, describe))));
            schema["required"] = new JsonArray([.. Members.Where(member => member.IsRequired).Select(member => (JsonNode)member.Name)]);
        }

        if (LeastCount > 0)
        {
            schema["minProperties"] = LeastCount;
        }

        // Not propertyNames, which not every checker knows.
        var others = Others?.ToSchema(describe);
        if (Keys?.Pattern is { } pattern && others is not null)
        {
            (schema["patternProperties"], others) = (new JsonObject { [pattern] = others }, null);
        }

        schema["additionalProperties"] = (JsonNode?)others ?? false;
        return schema;
    }

    private static JsonObject Described(Member member, Func<MemberInfo, string?> describe)
    {
        var schema = member.Shape.ToSchema(describe);
        if (member.Info is { } info && describe(info) is { } description)
        {
            schema["description"] = description;
        }

        return schema;
    }

    private static void Judge(string name, Shape shape, object? value, Walk walk)
    {
        if (value is not null)
        {
            walk.Enter(name);
            shape.Judge(value, walk);
            walk.Leave();
        }
    }

    private void CheckOther(string name, JsonElement value, Walk walk)
    {
        if (Gone.TryGetValue(name, out var why))
        {
            walk.Add(why);
        }
        else if (Others is null)
        {
            walk.Add("is not known here.", name.Length <= LongestSuggested ? NearestNames.Suggest(name, Members.Select(member => member.Name)) : null);
        }
        else if (Keys?.Wrong(name) is { } wrong)
        {
            walk.Add($"its name {wrong}");
        }
        else
        {
            Others.Check(value, walk);
        }
    }

    /// <summary>The name, and whose member it is; mostly the one after the last, and then nothing is allocated. Null for one that is no text.</summary>
    private string? NameOf(JsonProperty property, ref int next)
    {
        try
        {
            for (var tried = 0; tried < Members.Count; tried++)
            {
                next = next + 1 < Members.Count ? next + 1 : 0;
                if (property.NameEquals(Members[next].Utf8))
                {
                    return Members[next].Name;
                }
            }

            next = Members.Count;
            return property.Name;
        }
        catch (InvalidOperationException)
        {
            return null;
        }
    }
}
