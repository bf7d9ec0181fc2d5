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

    internal override void Judge(object value, Validation validation)
    {
        if (value is IChecked record)
        {
            foreach (var (where, what, suggestion) in record.Problems())
            {
                var path = validation.Path;
                validation.Add(path.Length == 0 ? where : where.Length == 0 ? path : $"{path}.{where}", what, suggestion);
            }
        }

        foreach (var member in HasRules ? Members.Where(member => member.Shape.HasRules) : [])
        {
            Judge(member.Name, member.Shape, member.Get!(value), validation);
        }

        if (Others?.HasRules == true)
        {
            foreach (DictionaryEntry pair in (IDictionary)value)
            {
                Judge((string)pair.Key, Others, pair.Value, validation);
            }
        }
    }

    [MethodImpl(Optimize.AtFirstCall)]
    private protected override void CheckValue(JsonElement value, Validation validation)
    {
        var seen = new bool[Members.Count];
        HashSet<string>? others = null;
        var next = Members.Count;
        foreach (var property in value.EnumerateObject())
        {
            if (validation.IsFull)
            {
                return;
            }

            if (NameOf(property, ref next) is not { } name)
            {
                validation.Add("holds a name with half a surrogate pair, which is no character");
                continue;
            }

            validation.Enter(name);
            var member = next < Members.Count && ReferenceEquals(Members[next].Name, name) ? Members[next] : null;
            if (member is null ? !(others ??= new(StringComparer.Ordinal)).Add(name) : seen[next])
            {
                validation.Add("is there twice");
            }
            else if (member is not null)
            {
                seen[next] = true;
                member.Shape.Check(property.Value, validation);
            }
            else
            {
                CheckOther(name, property.Value, validation);
            }

            validation.Leave();
        }

        for (var index = 0; index < seen.Length; index++)
        {
            if (!seen[index] && Members[index].IsRequired)
            {
                validation.Enter(Members[index].Name);
                validation.Add("is missing");
                validation.Leave();
            }
        }

        if (value.GetPropertyCount() is var count && (count < LeastCount || count > MostCount))
        {
            validation.Add(Invariant($"must have at {(count < LeastCount ? "least" : "most")} {(count < LeastCount ? LeastCount : MostCount)} members, has {count}"));
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

    private static void Judge(string name, Shape shape, object? value, Validation validation)
    {
        if (value is not null)
        {
            validation.Enter(name);
            shape.Judge(value, validation);
            validation.Leave();
        }
    }

    private void CheckOther(string name, JsonElement value, Validation validation)
    {
        if (Gone.TryGetValue(name, out var why))
        {
            validation.Add(why);
        }
        else if (Others is null)
        {
            var names = Members.Select(member => member.Name);
            validation.Add("is not known here.", name.Length <= LongestSuggested ? NearestNames.Suggest(name, names) : null);
        }
        else if (Keys?.Wrong(name) is { } wrong)
        {
            validation.Add($"its name {wrong}");
        }
        else
        {
            Others.Check(value, validation);
        }
    }

    /// <summary>The name, and whose it is: mostly the next member's, and then nothing is allocated. Null for one that is no text.</summary>
    [MethodImpl(Optimize.AtFirstCall)]
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
