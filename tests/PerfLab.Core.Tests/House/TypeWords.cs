using System.Reflection;
using System.Runtime.CompilerServices;

namespace PerfLab.Core.Tests.House;

/// <summary>Types as C# writes them: <c>IReadOnlyList&lt;(string Name, double? Value)&gt;?</c>, without namespaces.</summary>
internal static class TypeWords
{
    private static readonly Dictionary<Type, string> Keywords = new()
    {
        [typeof(void)] = "void",
        [typeof(object)] = "object",
        [typeof(string)] = "string",
        [typeof(bool)] = "bool",
        [typeof(int)] = "int",
        [typeof(long)] = "long",
        [typeof(double)] = "double",
    };

    /// <summary>The name of a type, with those around it: <c>Outer.Inner</c>.</summary>
    public static string Path(Type type) => (type.DeclaringType is { } outer ? Path(outer) + "." : "") + Of(type);

    /// <summary>The name alone, as a constructor has it.</summary>
    public static string Simple(Type type) => type.Name.Split('`')[0];

    public static string Of(Type type) => Keywords.TryGetValue(type, out var word) ? word
        : type.IsGenericType ? $"{Simple(type)}<{string.Join(", ", type.GetGenericArguments().Select(Of))}>"
        : type.Name;

    public static string Of(ParameterInfo parameter) => Of(new NullabilityInfoContext().Create(parameter), Names(parameter));

    public static string Of(PropertyInfo property) => Of(new NullabilityInfoContext().Create(property), Names(property));

    public static string Of(FieldInfo field) => Of(new NullabilityInfoContext().Create(field), Names(field));

    // Names of tuples stand in one attribute for the whole type: those of the outer tuple first, then those of what it holds.
    private static Queue<string?> Names(ICustomAttributeProvider member) => new(
        member.GetCustomAttributes(typeof(TupleElementNamesAttribute), inherit: false) is [TupleElementNamesAttribute names]
            ? names.TransformNames
            : []);

    private static string Of(NullabilityInfo info, Queue<string?> names)
    {
        var type = info.Type.IsByRef ? info.Type.GetElementType()! : info.Type;
        var value = Nullable.GetUnderlyingType(type) ?? type;
        var mark = info.ReadState == NullabilityState.Nullable && !value.IsGenericParameter ? "?" : "";
        if (value.IsArray)
        {
            return $"{(info.ElementType is { } element ? Of(element, names) : Of(value.GetElementType()!))}[]{mark}";
        }

        if (!value.IsGenericType)
        {
            return Of(value) + mark;
        }

        if (value.IsAssignableTo(typeof(ITuple)) && value.IsValueType)
        {
            var own = info.GenericTypeArguments.Select(_ => names.TryDequeue(out var name) ? name : null).ToList();
            var items = info.GenericTypeArguments.Zip(own).Select(item => $"{Of(item.First, names)} {item.Second}".TrimEnd());
            return $"({string.Join(", ", items)}){mark}";
        }

        return $"{Simple(value)}<{string.Join(", ", info.GenericTypeArguments.Select(argument => Of(argument, names)))}>{mark}";
    }
}
