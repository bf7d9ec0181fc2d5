namespace PerfLab.Core.Journal;

/// <summary>A record that is not what the format says: which member, what was found, what was expected.</summary>
public sealed class BadRecordException(string message) : Exception(message);

/// <summary>
/// Reads the members of a record one by one and, at the end, refuses those that nobody asked for: the journal may come from a machine
/// that ran hostile code. The first fault ends the reading, because nothing after it is believed; a file whose faults are all wanted at
/// once is read by the door for files.
/// </summary>
public sealed class RecordObject
{
    private readonly string _path;
    private readonly JsonProperty[] _members;
    private readonly bool[] _asked;
    private int _next;

    public RecordObject(JsonElement element, string path)
    {
        if (element.ValueKind != JsonValueKind.Object)
        {
            throw new BadRecordException($"{path} is {element.ValueKind.ToString().ToLowerInvariant()}, expected an object.");
        }

        _path = path;
        _members = new JsonProperty[element.GetPropertyCount()];
        _asked = new bool[_members.Length];
        var place = 0;
        foreach (var member in element.EnumerateObject())
        {
            _members[place++] = member;
        }
    }

    public bool Has(string name) => TryGet(name) is not null;

    public string Text(string name) => TextOrNull(name) ?? throw Missing(name);

    public string? TextOrNull(string name) => TryGet(name) is not { } value ? null
        : value.ValueKind == JsonValueKind.String ? value.GetString() : throw Wrong(name, value, "a string");

    public double Number(string name) => NumberOrNull(name) ?? throw Missing(name);

    public double? NumberOrNull(string name) => TryGet(name) is not { } value ? null : FiniteOrNull(value) ?? throw Wrong(name, value, "a finite number");

    public int Count(string name) => CountOrNull(name) ?? throw Missing(name);

    /// <summary>A whole number from 0 to 2^31 - 1.</summary>
    public int? CountOrNull(string name) => TryGet(name) is not { } value ? null
        : value.ValueKind == JsonValueKind.Number && value.TryGetInt32(out var count) && count >= 0
            ? count : throw Wrong(name, value, "a whole number from 0");

    public int? IntegerOrNull(string name) => TryGet(name) is not { } value ? null
        : value.ValueKind == JsonValueKind.Number && value.TryGetInt32(out var number)
            ? number : throw Wrong(name, value, "a whole number");

    public ulong Seed(string name) => TryGet(name) is not { } value ? throw Missing(name)
        : value.ValueKind == JsonValueKind.Number && value.TryGetUInt64(out var seed) ? seed : throw Wrong(name, value, "a whole number from 0");

    public bool Flag(string name, bool otherwise) => TryGet(name) is not { } value ? otherwise
        : value.ValueKind is JsonValueKind.True or JsonValueKind.False ? value.GetBoolean() : throw Wrong(name, value, "true or false");

    /// <summary>UTC, ISO 8601.</summary>
    public DateTimeOffset Time(string name)
    {
        var text = Text(name);
        return DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out var time)
            ? time : throw new BadRecordException($"{_path}.{name} is not an ISO 8601 time.");
    }

    /// <summary>One of the given words.</summary>
    public T Word<T>(string name, IReadOnlyDictionary<string, T> words) => words.TryGetValue(Text(name), out var value)
        ? value : throw new BadRecordException($"{_path}.{name} is none of {string.Join(", ", words.Keys)}.");

    public RecordObject Object(string name) => new(TryGet(name) ?? throw Missing(name), $"{_path}.{name}");

    /// <summary>An object whose members are free, kept as it is.</summary>
    public JsonObject Free(string name)
    {
        var value = FreeElement(name);
        return value.GetPropertyCount() == 0 ? [] : JsonObject.Create(value.Clone())!;
    }

    /// <summary>
    /// As <see cref="Free"/>, for objects that many records share: {"ref": id} stands for the one of that id, and one without members for <paramref name="empty"/>.
    /// </summary>
    /// <exception cref="BadRecordException">Also when nothing is known of the id.</exception>
    public JsonObject Shared(string name, IReadOnlyDictionary<string, JsonObject> known, JsonObject empty)
    {
        var value = FreeElement(name);
        return value.GetPropertyCount() switch
        {
            0 => empty,
            1 when value.TryGetProperty("ref", out var id) && id.ValueKind == JsonValueKind.String => known.GetValueOrDefault(id.GetString()!)
                ?? throw new BadRecordException("a reference to evidence that was not written before."),
            _ => JsonObject.Create(value.Clone())!,
        };
    }

    private JsonElement FreeElement(string name)
    {
        var value = TryGet(name) ?? throw Missing(name);
        return value.ValueKind == JsonValueKind.Object ? value : throw Wrong(name, value, "an object");
    }

    public IReadOnlyList<RecordObject> Objects(string name)
    {
        var value = TryGet(name) ?? throw Missing(name);
        return value.ValueKind == JsonValueKind.Array
            ? [.. value.EnumerateArray().Select((item, index) => new RecordObject(item, $"{_path}.{name}[{index}]"))]
            : throw Wrong(name, value, "an array");
    }

    public IReadOnlyDictionary<string, string> Texts(string name)
    {
        var members = Object(name);
        return new SortedDictionary<string, string>(
            members._members.ToDictionary(member => member.Name, member => members.Text(member.Name), StringComparer.Ordinal),
            StringComparer.Ordinal);
    }

    /// <summary>An object whose members are all finite numbers.</summary>
    public IReadOnlyDictionary<string, double> Numbers(string name)
    {
        var numbers = new Dictionary<string, double>(StringComparer.Ordinal);
        foreach (var member in FreeElement(name).EnumerateObject())
        {
            numbers.Add(member.Name, FiniteOrNull(member.Value) ?? throw Wrong($"{name}.{member.Name}", member.Value, "a finite number"));
        }

        return numbers;
    }

    /// <summary>Refuses members that were not asked for.</summary>
    public void End()
    {
        var place = Array.IndexOf(_asked, false);
        if (place >= 0)
        {
            throw new BadRecordException($"{_path} has an unknown member '{Short(_members[place].Name)}'.");
        }
    }

    private JsonElement? TryGet(string name)
    {
        // Members are mostly written in the order in which they are asked for: the one after the last is looked at first.
        for (var step = 0; step < _members.Length; step++)
        {
            var place = (_next + step) % _members.Length;
            if (_members[place].NameEquals(name))
            {
                _asked[place] = true;
                _next = place + 1;
                return _members[place].Value.ValueKind == JsonValueKind.Null ? null : _members[place].Value;
            }
        }

        return null;
    }

    private static double? FiniteOrNull(JsonElement value) =>
        value.ValueKind == JsonValueKind.Number && value.TryGetDouble(out var number) && double.IsFinite(number) ? number : null;

    private BadRecordException Missing(string name) => new($"{_path}.{name} is missing.");

    private BadRecordException Wrong(string name, JsonElement value, string expected) =>
        new($"{_path}.{name} is {Short(value.GetRawText())}, expected {expected}.");

    private static string Short(string text) => text.Length <= 40 ? text : text[..40] + "…";
}
