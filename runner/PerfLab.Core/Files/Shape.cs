using System.Reflection;
using System.Runtime.CompilerServices;

namespace PerfLab.Core.Files;

/// <summary>
/// What a value of a file may be. A record's shape is derived once from its type (<see cref="Shapes"/>); the reader's problems, the JSON
/// Schema and the types of YAML's plain words all come from it.
/// </summary>
public abstract record Shape
{
    public bool CanBeNull { get; init; }

    /// <summary>For "must be …".</summary>
    internal abstract string Noun { get; }

    /// <summary>Whether there is an <see cref="IChecked"/> record in it.</summary>
    internal virtual bool HasRules => false;

    internal abstract bool Takes(JsonValueKind kind);

    [MethodImpl(Optimize.AtFirstCall)]
    internal void Check(JsonElement value, Validation validation)
    {
        if (value.ValueKind == JsonValueKind.Null && CanBeNull)
        {
            return;
        }

        if (Takes(value.ValueKind))
        {
            CheckValue(value, validation);
        }
        else
        {
            validation.Add($"must be {Noun}{(CanBeNull ? " or null" : "")}, is {Word(value.ValueKind)}");
        }
    }

    /// <summary>Asks the <see cref="IChecked"/> records in a value that was read.</summary>
    internal virtual void Judge(object value, Validation validation)
    {
    }

    /// <param name="describe">What is known of a member, in a sentence.</param>
    internal JsonObject ToSchema(Func<MemberInfo, string?> describe)
    {
        var schema = Schema(describe);
        if (!CanBeNull)
        {
            return schema;
        }

        if (schema["enum"] is JsonArray words)
        {
            words.Add(null);
        }
        else if (schema["anyOf"] is JsonArray choices)
        {
            choices.Add(new JsonObject { ["type"] = "null" });
        }
        else if (schema["type"] is JsonValue type)
        {
            schema["type"] = new JsonArray(type.DeepClone(), "null");
        }

        return schema;
    }

    private protected abstract JsonObject Schema(Func<MemberInfo, string?> describe);

    private protected abstract void CheckValue(JsonElement value, Validation validation);

    private protected static void Set(JsonObject schema, string name, JsonNode? value)
    {
        if (value is not null)
        {
            schema[name] = value;
        }
    }

    private protected static string Word(JsonValueKind kind) => kind switch
    {
        JsonValueKind.Object => "an object",
        JsonValueKind.Array => "a list",
        JsonValueKind.String => "text",
        JsonValueKind.Number => "a number",
        JsonValueKind.True => "true",
        JsonValueKind.False => "false",
        _ => "null",
    };
}
