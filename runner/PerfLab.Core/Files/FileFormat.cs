using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Encodings.Web;
using System.Text.Json.Serialization.Metadata;
using System.Text.Json.Serialization;
using System.Text.Unicode;

namespace PerfLab.Core.Files;

/// <summary>
/// A format: everything but the size of the file comes from one record. docs/internals/formats.md ("How a format is made") shows how to add one.
/// </summary>
public abstract class FileFormat
{
    /// <summary>Objects and lists in one another.</summary>
    internal const int Depth = 32;

    private readonly Type _type;
    private readonly Lazy<Shape> _shape;
    private readonly Lazy<JsonSerializerOptions> _options;

    private protected FileFormat(Type type, string schema, string title)
    {
        (_type, Schema, Title) = (type, schema, title);
        // A program knows many formats and uses few.
        _options = new(MakeOptions);
        _shape = new(() => new Shapes(_options.Value, Schema, IsWrittenByPeople, IsForeign).Of(_type, []));
    }

    /// <summary>"perf-lab/plan/1": the file's first member.</summary>
    public string Schema { get; }

    /// <summary>For people: "comparison.json: what a session says".</summary>
    public string Title { get; }

    /// <summary>A file that is larger is not looked at.</summary>
    public int MostBytes { get; init; } = 64 << 20;

    /// <summary>
    /// What has a default may be left out: no `required`, a parameter with `=`. Otherwise all that the writer always writes is there.
    /// </summary>
    public bool IsWrittenByPeople { get; init; }

    /// <summary>
    /// An answer of somebody else's program, or a note of ours for later: no schema word, and members that we don't know are passed over.
    /// </summary>
    public bool IsForeign { get; init; }

    /// <summary>
    /// One line for each value, for people who look at it: only what must be escaped is, and times are in UTC to the millisecond.
    /// </summary>
    public bool IsLine { get; init; }

    /// <summary>Members that may be left out although nothing in the record says so: whether a value of theirs is written.</summary>
    public Func<JsonPropertyInfo, Func<object?, bool>?>? MayBeAbsent { get; init; }

    /// <summary>How the record's names become the file's; null: they are the same.</summary>
    public JsonNamingPolicy? Names { get; init; } = JsonNamingPolicy.CamelCase;

    internal Shape Shape => _shape.Value;

    private protected JsonSerializerOptions Options => _options.Value;

    /// <summary>What is wrong with a file.</summary>
    /// <param name="utf8">The file.</param>
    /// <param name="withRules">The rules between members, too (<see cref="IChecked"/>); no schema can say them.</param>
    public abstract IReadOnlyList<Problem> Problems(ReadOnlyMemory<byte> utf8, bool withRules = true);

    /// <summary>The JSON Schema, draft-07.</summary>
    /// <param name="describe">What is known of a record's member: its documentation.</param>
    public string JsonSchema(Func<MemberInfo, string?> describe)
    {
        var schema = new JsonObject { ["$schema"] = "http://json-schema.org/draft-07/schema#", ["$id"] = Schema, ["title"] = Title };
        foreach (var (name, value) in Shape.ToSchema(describe).ToList())
        {
            schema[name] = value?.DeepClone();
        }

        var readable = JavaScriptEncoder.UnsafeRelaxedJsonEscaping;
        return schema.ToJsonString(new() { WriteIndented = true, NewLine = "\n", Encoder = readable }) + "\n";
    }

    /// <summary>The file as JSON, all problems in <paramref name="validation"/>; null when it is none.</summary>
    [MethodImpl(Optimize.AtFirstCall)]
    private protected JsonDocument? Open(ReadOnlyMemory<byte> utf8, Validation validation)
    {
        if (utf8.Length > MostBytes)
        {
            validation.Add("", Invariant($"has {utf8.Length} bytes, over the limit of {MostBytes}"), null);
        }
        else if (utf8.Span.StartsWith(Encoding.UTF8.Preamble))
        {
            validation.Add("", "starts with a byte order mark; save it as UTF-8 without one", null);
        }
        else if (!Utf8.IsValid(utf8.Span))
        {
            validation.Add("", "is not UTF-8", null);
        }
        else
        {
            var document = JsonDocument.Parse(utf8, new() { MaxDepth = Depth });
            Shape.Check(document.RootElement, validation);
            return document;
        }

        return null;
    }

    private protected static void Add(JsonException broken, Validation validation)
    {
        // A converter's own complaint has a path; the parser's has a place.
        var where = broken.Path?.StartsWith("$.", StringComparison.Ordinal) == true ? Validation.Shown(broken.Path[2..])
            : Invariant($"line {(broken.LineNumber ?? 0) + 1}, byte {(broken.BytePositionInLine ?? 0) + 1}");
        var what = broken.Message.Split(" LineNumber:")[0].Split(" Path:")[0];
        validation.Add(where, broken.Path is null ? $"is not strict JSON: {Validation.Shown(what, 200)}" : Validation.Shown(what, 200), null);
    }

    private JsonSerializerOptions MakeOptions()
    {
        var options = NewOptions();
        if (IsLine)
        {
            options.Converters.Add(new UtcTime());
            options.Converters.Add(new SharedObject());
        }

        return options;
    }

    private JsonSerializerOptions NewOptions() => new(JsonSerializerDefaults.General)
    {
        WriteIndented = !IsLine,
        Encoder = IsLine ? JavaScriptEncoder.UnsafeRelaxedJsonEscaping : null,
        NewLine = "\n",
        MaxDepth = Depth,
        // The shape finds what is there twice, before anything is read.
        AllowDuplicateProperties = true,
        // Looking for the kind first takes as long as reading a launch.
        AllowOutOfOrderMetadataProperties = !IsLine,
        UnmappedMemberHandling = IsForeign ? JsonUnmappedMemberHandling.Skip : JsonUnmappedMemberHandling.Disallow,
        RespectNullableAnnotations = true,
        RespectRequiredConstructorParameters = true,
        PropertyNamingPolicy = Names,
        Converters = { new WordConverter() },
        TypeInfoResolver = new DefaultJsonTypeInfoResolver { Modifiers = { LeaveOutDerived, BaseFirst, AddSchemaWord, AllowAbsence } },
    };

    private static void LeaveOutDerived(JsonTypeInfo info)
    {
        for (var index = info.Properties.Count - 1; index >= 0; index--)
        {
            // A structure of the base library (a pair) is made by its constructor.
            if (info.Properties[index].Set is null && !info.Type.IsValueType)
            {
                info.Properties.RemoveAt(index);
            }
        }
    }

    /// <summary>What records have in common comes before what sets them apart.</summary>
    private static void BaseFirst(JsonTypeInfo info)
    {
        foreach (var property in info.Kind == JsonTypeInfoKind.Object && info.Type.BaseType != typeof(object) ? info.Properties : [])
        {
            for (var type = property.DeclaringType.BaseType; type is not null && property.Order >= 0; type = type.BaseType)
            {
                property.Order++;
            }
        }
    }

    private void AllowAbsence(JsonTypeInfo info)
    {
        foreach (var property in info.Properties)
        {
            if (MayBeAbsent?.Invoke(property) is { } isWritten)
            {
                (property.IsRequired, property.ShouldSerialize) = (false, (_, value) => isWritten(value));
            }
        }
    }

    private void AddSchemaWord(JsonTypeInfo info)
    {
        if (info.Type == _type && info.Kind == JsonTypeInfoKind.Object && !IsForeign)
        {
            var word = info.CreateJsonPropertyInfo(typeof(string), "schema");
            (word.Get, word.Set, word.Order) = (_ => Schema, (_, _) => { }, int.MinValue);
            info.Properties.Insert(0, word);
        }
    }
}
