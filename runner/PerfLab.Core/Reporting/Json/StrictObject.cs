using PerfLab.Core.Model;

namespace PerfLab.Core.Reporting.Json;

/// <summary>
/// A JSON object read member by member: what is missing, of the wrong type or out of range becomes a problem, and so does every
/// member that nobody asked for (<see cref="RefuseTheRest"/>). Getters go on with a harmless value, so that one pass finds all problems.
/// </summary>
internal sealed class StrictObject
{
    private readonly Dictionary<string, JsonElement> _members = new(StringComparer.Ordinal);
    private readonly string _where;
    private readonly List<Problem> _problems;

    public StrictObject(JsonElement element, string where, List<Problem> problems)
    {
        _where = where;
        _problems = problems;
        if (element.ValueKind != JsonValueKind.Object)
        {
            problems.Add(new Problem(where.Length == 0 ? "the file" : where, $"must be an object, is {Kind(element)}"));
            IsObject = false;
            return;
        }

        foreach (var member in element.EnumerateObject())
        {
            _members[member.Name] = member.Value;
        }
    }

    public bool IsObject { get; } = true;

    public string Text(string name) => NullableText(name, canBeNull: false) ?? "";

    public string? TextOrNull(string name) => NullableText(name, canBeNull: true);

    public bool Flag(string name)
    {
        if (Take(name) is not { } value)
        {
            return false;
        }

        if (value.ValueKind is not (JsonValueKind.True or JsonValueKind.False))
        {
            Add(name, $"must be true or false, is {Kind(value)}");
            return false;
        }

        return value.GetBoolean();
    }

    /// <summary>Null when the member is absent; it may not be null.</summary>
    public bool? OptionalFlag(string name) => _members.ContainsKey(name) ? Flag(name) : null;

    public int Count(string name)
    {
        if (Take(name) is not { } value)
        {
            return 0;
        }

        if (value.ValueKind != JsonValueKind.Number || !value.TryGetInt32(out var number) || number < 0)
        {
            Add(name, $"must be a whole number of 0 or more, is {Kind(value)}");
            return 0;
        }

        return number;
    }

    public double Number(string name, double least, double most) => Number(name, least, most, canBeNull: false) ?? least;

    public double? NumberOrNull(string name, double least = double.MinValue, double most = double.MaxValue) =>
        Number(name, least, most, canBeNull: true);

    /// <summary>A word of a closed list, or null; <paramref name="all"/> is what the problem offers instead.</summary>
    public T? WordOrNull<T>(string name, Func<string, T?> find, string all)
        where T : struct
    {
        if (TextOrNull(name) is not { } word)
        {
            return null;
        }

        var found = find(word);
        if (found is null)
        {
            Add(name, $"unknown word; one of: {all}");
        }

        return found;
    }

    public IReadOnlyList<string> Texts(string name)
    {
        var texts = new List<string>();
        foreach (var (item, where) in Items(name))
        {
            if (item.ValueKind == JsonValueKind.String)
            {
                texts.Add(item.GetString()!);
            }
            else
            {
                _problems.Add(new Problem(where, $"must be text, is {Kind(item)}"));
            }
        }

        return texts;
    }

    public IEnumerable<(JsonElement Item, string Where)> Items(string name)
    {
        if (Take(name) is not { } array)
        {
            yield break;
        }

        if (array.ValueKind != JsonValueKind.Array)
        {
            Add(name, $"must be an array, is {Kind(array)}");
            yield break;
        }

        var index = 0;
        foreach (var item in array.EnumerateArray())
        {
            yield return (item, string.Create(CultureInfo.InvariantCulture, $"{Where(name)}[{index++}]"));
        }
    }

    public StrictObject? Object(string name)
    {
        var inner = Take(name) is { } value ? new StrictObject(value, Where(name), _problems) : null;
        return inner is { IsObject: true } ? inner : null;
    }

    public StrictObject? ObjectOrNull(string name)
    {
        if (_members.TryGetValue(name, out var value) && value.ValueKind == JsonValueKind.Null)
        {
            _members.Remove(name);
            return null;
        }

        return Object(name);
    }

    public void RefuseTheRest()
    {
        foreach (var name in _members.Keys)
        {
            Add(name, "unknown member");
        }
    }

    public void Add(string name, string what) => _problems.Add(new Problem(Where(name), what));

    private string? NullableText(string name, bool canBeNull)
    {
        if (Take(name) is not { } value || (canBeNull && value.ValueKind == JsonValueKind.Null))
        {
            return null;
        }

        if (value.ValueKind != JsonValueKind.String)
        {
            Add(name, $"must be text{(canBeNull ? " or null" : "")}, is {Kind(value)}");
            return null;
        }

        return value.GetString();
    }

    private double? Number(string name, double least, double most, bool canBeNull)
    {
        if (Take(name) is not { } value || (canBeNull && value.ValueKind == JsonValueKind.Null))
        {
            return null;
        }

        // A number such as 1e999 parses as infinity: finite is a rule of its own.
        if (value.ValueKind != JsonValueKind.Number || !value.TryGetDouble(out var number) || !double.IsFinite(number))
        {
            Add(name, $"must be a finite number{(canBeNull ? " or null" : "")}, is {Kind(value)}");
            return null;
        }

        if (number < least || number > most)
        {
            Add(name, string.Create(CultureInfo.InvariantCulture, $"must lie between {least} and {most}, is {number}"));
            return null;
        }

        return number;
    }

    private JsonElement? Take(string name)
    {
        if (_members.Remove(name, out var value))
        {
            return value;
        }

        Add(name, "is missing");
        return null;
    }

    private string Where(string name) => _where.Length == 0 ? name : $"{_where}.{name}";

    /// <summary>What is there, without quoting it: the file may be hostile.</summary>
    private static string Kind(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Object => "an object",
        JsonValueKind.Array => "an array",
        JsonValueKind.String => "text",
        JsonValueKind.Number => "another number",
        JsonValueKind.True => "true",
        JsonValueKind.False => "false",
        _ => "null",
    };
}
