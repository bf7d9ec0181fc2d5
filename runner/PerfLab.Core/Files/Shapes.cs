using System.ComponentModel.DataAnnotations;
using System.Reflection;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace PerfLab.Core.Files;

/// <summary>
/// Record -> shape, from what the serialiser itself goes by: the same names in the same order. A member is required when it is always
/// written; in a format that people write, when it is marked `required`, or is a parameter without a default. What may be left out may not
/// be null: there is one way to say nothing.
/// </summary>
internal sealed class Shapes(JsonSerializerOptions options, string schemaWord, bool isWrittenByPeople, bool isForeign)
{
    private static readonly Dictionary<Type, NumberShape> Numbers = new()
    {
        [typeof(int)] = new(value => value.TryGetInt32(out _)) { Least = int.MinValue, Most = int.MaxValue },
        [typeof(long)] = new(value => value.TryGetInt64(out _)),
        [typeof(ulong)] = new(value => value.TryGetUInt64(out _)) { Least = 0 },
        [typeof(double)] = new(),
    };

    /// <param name="type">A record, a list, a map or a plain value.</param>
    /// <param name="said">What the member says that holds it.</param>
    public Shape Of(Type type, IReadOnlyList<Attribute> said)
    {
        if (Nullable.GetUnderlyingType(type) is { } inner)
        {
            return Of(inner, said) with { CanBeNull = true };
        }

        var info = options.GetTypeInfo(type);
        return info switch
        {
            { Converter: IShaped shaped } => shaped.Shape,
            { PolymorphismOptions: { } kinds } => Kinds(kinds),
            { Kind: JsonTypeInfoKind.Object } => Record(info),
            { Kind: JsonTypeInfoKind.Enumerable, ElementType: { } items } => List(items, said),
            { Kind: JsonTypeInfoKind.Dictionary, ElementType: { } values } => Map(values, said),
            _ when Numbers.TryGetValue(type, out var number) => Bounded(number, said.OfType<RangeAttribute>().SingleOrDefault()),
            _ when type == typeof(bool) => new FlagShape(),
            _ when type == typeof(string) => Text(said, counts: true),
            _ when type.IsEnum => new TextShape { Words = [.. Enum.GetNames(type).Select(WordConverter.Word)] },
            _ when type == typeof(DateTimeOffset) => new TextShape { IsTime = true },
            _ when type == typeof(DateOnly) => new TextShape { Pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", InWords = "a date (2026-12-31)" },
            _ when type == typeof(JsonObject) => new ObjectShape { Others = new AnyShape { CanBeNull = true } },
            _ when type == typeof(JsonElement) || type == typeof(JsonNode) => new AnyShape { CanBeNull = true },
            _ => throw new NotSupportedException($"no file can hold a {type.Name}: give its converter the interface {nameof(IShaped)}"),
        };
    }

    private static NumberShape Bounded(NumberShape number, RangeAttribute? range) => range is null ? number : number with
    {
        Least = Bound(range.Minimum) ?? number.Least,
        Most = Bound(range.Maximum) ?? number.Most,
        IsMoreThanLeast = range.MinimumIsExclusive,
        IsLessThanMost = range.MaximumIsExclusive,
    };

    private static double? Bound(object value) =>
        Convert.ToDouble(value, CultureInfo.InvariantCulture) is var number && double.IsFinite(number) ? number : null;

    private static TextShape Text(IReadOnlyList<Attribute> said, bool counts)
    {
        var form = said.OfType<RegularExpressionAttribute>().SingleOrDefault();
        var (least, most) = counts ? Lengths(said) : (0, int.MaxValue);
        return new()
        {
            Words = said.OfType<AllowedValuesAttribute>().SingleOrDefault()?.Values.Cast<string>().ToList(),
            Pattern = form?.Pattern,
            InWords = form?.ErrorMessage,
            LeastLength = least,
            MostLength = most,
        };
    }

    private static (int Least, int Most) Lengths(IReadOnlyList<Attribute> said)
    {
        var both = said.OfType<LengthAttribute>().SingleOrDefault();
        return (both?.MinimumLength ?? said.OfType<MinLengthAttribute>().SingleOrDefault()?.Length ?? 0,
            both?.MaximumLength ?? said.OfType<MaxLengthAttribute>().SingleOrDefault()?.Length ?? int.MaxValue);
    }

    // Lengths count the items; the rest is said of each of them.
    private Shape Item(Type type, IReadOnlyList<Attribute> said) => type == typeof(string) ? Text(said, counts: false)
        : Of(type, [.. said.Where(one => one is not (LengthAttribute or MinLengthAttribute or MaxLengthAttribute or KeysAttribute))]);

    private ListShape List(Type items, IReadOnlyList<Attribute> said)
    {
        var (least, most) = Lengths(said);
        return new(Item(items, said)) { LeastCount = least, MostCount = most };
    }

    private ObjectShape Map(Type values, IReadOnlyList<Attribute> said)
    {
        var keys = said.OfType<KeysAttribute>().SingleOrDefault();
        return new()
        {
            Others = Item(values, said),
            Keys = keys is null ? null : new() { Pattern = keys.Pattern, InWords = keys.InWords },
            LeastCount = Lengths(said).Least,
            MostCount = Lengths(said).Most,
        };
    }

    private ObjectShape Record(JsonTypeInfo info, params IEnumerable<Member> first)
    {
        var named = info.Properties.Where(property => !property.IsExtensionData);
        return new()
        {
            Members = [.. first, .. named.OrderBy(property => property.Order).Select(OfMember)],
            Others = isForeign || info.Properties.Count > named.Count() ? new AnyShape { CanBeNull = true } : null,
            Gone = info.Type.GetCustomAttributes<GoneAttribute>().ToDictionary(gone => gone.Name, gone => gone.Why, StringComparer.Ordinal),
            IsChecked = info.Type.IsAssignableTo(typeof(IChecked)),
        };
    }

    private Member OfMember(JsonPropertyInfo property)
    {
        if (property.AttributeProvider is not MemberInfo member)
        {
            return new(property.Name, new TextShape { Words = [schemaWord] }, IsRequired: true, property.Get);
        }

        IReadOnlyList<Attribute> said =
        [
            .. member.GetCustomAttributes(),
            .. (property.AssociatedParameter?.AttributeProvider as ParameterInfo)?.GetCustomAttributes() ?? [],
        ];
        // Of a type parameter (a pair's value) nobody says whether it may be null: it may not.
        var isNullable = Nullable.GetUnderlyingType(property.PropertyType) is not null
            || (!property.PropertyType.IsValueType && property.IsGetNullable && !property.DeclaringType.IsGenericType);
        var isRequired = property.IsRequired || (!isWrittenByPeople && !isForeign && property.ShouldSerialize is null);
        var converter = said.OfType<JsonConverterAttribute>().SingleOrDefault()?.ConverterType;
        var shape = converter?.IsAssignableTo(typeof(IShaped)) == true ? ((IShaped)Activator.CreateInstance(converter)!).Shape
            : Of(property.PropertyType, said);
        shape = shape with { CanBeNull = isRequired ? isNullable || shape is AnyShape : isForeign && isNullable };
        return new(property.Name, shape, isRequired, property.Get, member);
    }

    private KindShape Kinds(JsonPolymorphismOptions kinds)
    {
        var name = kinds.TypeDiscriminatorPropertyName;
        var byWord = new Dictionary<string, ObjectShape>(StringComparer.Ordinal);
        var byType = new Dictionary<Type, ObjectShape>();
        foreach (var kind in kinds.DerivedTypes)
        {
            var word = (string)kind.TypeDiscriminator!;
            var member = new Member(name, new TextShape { Words = [word] }, IsRequired: true);
            byType[kind.DerivedType] = byWord[word] = Record(options.GetTypeInfo(kind.DerivedType), member);
        }

        return new(name, byWord) { Types = byType };
    }
}
