using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;

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
    private bool? _hasRules;

    /// <summary>Names that are longer than this are no typing errors.</summary>
    private const int LongestSuggested = 40;

    public IReadOnlyList<Member> Members { get; init; } = [];

    /// <summary>What members with other names may be; null: there are none.</summary>
    public Shape? Others { get; init; }

    /// <summary>The form of other names.</summary>
    public TextShape? Keys { get; init; }
    public int LeastCount { get; init; }
    public int MostCount { get; init; } = int.MaxValue;

    /// <summary>Name -> why there is no such member (<see cref="GoneAttribute"/>).</summary>
    public IReadOnlyDictionary<string, string> Gone { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    internal bool IsChecked { get; init; }

    internal override string Noun => "an object";

    internal override bool HasRules => _hasRules ??= IsChecked || Others?.HasRules == true || Members.Any(member => member.Shape.HasRules);

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

        foreach (var member in HasRules ? Members.Where(member => member.Shape.HasRules) : [])
        {
            Judge(member.Name, member.Shape, member.Get!(value), walk);
        }

        if (Others?.HasRules == true)
        {
            foreach (DictionaryEntry pair in (IDictionary)value)
            {
                Judge((string)pair.Key, Others, pair.Value, walk);
            }
        }
    }

    [MethodImpl(Fast.FromTheStart)]
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

        for (var index = 0; index < seen.Length; index++)
        {
            if (!seen[index] && Members[index].IsRequired)
            {
                walk.Enter(Members[index].Name);
                walk.Add("is missing");
                walk.Leave();
            }
        }

        if (value.GetPropertyCount() is var count && (count < LeastCount || count > MostCount))
        {
            walk.Add(Invariant($"must have at {(count < LeastCount ? "least" : "most")} {(count < LeastCount ? LeastCount : MostCount)} members, has {count}"));
        }
    }

    private protected override JsonObject Schema(Func<MemberInfo, string?> describe)
    {
        var schema = new JsonObject { ["type"] = "object" };
        if (Members.Count > 0)
        {
            schema["properties"] = new JsonObject(
                Members.Select(member => new KeyValuePair<string, JsonNode?>(member.Name, Described(member, describe))));
            schema["required"] = new JsonArray([.. Members.Where(member => member.IsRequired).Select(member => (JsonNode)member.Name)]);
        }

        Set(schema, "minProperties", LeastCount > 0 ? LeastCount : null);
        Set(schema, "maxProperties", MostCount < int.MaxValue ? MostCount : null);
        Set(schema, "patternProperties", Keys is null ? null : new JsonObject { [Keys.Pattern!] = Others!.ToSchema(describe) });
        schema["additionalProperties"] = Others is null || Keys is not null ? false : Others.ToSchema(describe);
        return schema;
    }

    private static JsonObject Described(Member member, Func<MemberInfo, string?> describe)
    {
        var schema = member.Shape.ToSchema(describe);
        Set(schema, "description", member.Info is null ? null : describe(member.Info));
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
            var names = Members.Select(member => member.Name);
            walk.Add("is not known here.", name.Length <= LongestSuggested ? NearestNames.Suggest(name, names) : null);
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

    /// <summary>The name, and whose it is: mostly the next member's, and then nothing is allocated. Null for one that is no text.</summary>
    [MethodImpl(Fast.FromTheStart)]
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
