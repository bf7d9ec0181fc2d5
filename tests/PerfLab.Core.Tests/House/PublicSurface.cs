using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace PerfLab.Core.Tests.House;

/// <summary>
/// What other projects can use of a namespace, as text: a line for each public type, and one for each public member that somebody wrote.
/// What the compiler adds to a record (equality, printing, taking apart) is not said: the word record says it.
/// </summary>
internal static class PublicSurface
{
    private const BindingFlags Own = BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
    private const BindingFlags Hidden = BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly;

    /// <summary>The types of one namespace and of those below it, namespace by namespace; lines end with a line feed.</summary>
    public static string Of(Assembly assembly, string space) => string.Concat(assembly.GetExportedTypes()
        .Where(type => (type.Namespace + ".").StartsWith(space + ".", StringComparison.Ordinal))
        .OrderBy(type => type.Namespace, StringComparer.Ordinal).ThenBy(TypeWords.Path, StringComparer.Ordinal)
        .GroupBy(type => type.Namespace)
        .Select(types => $"\nnamespace {types.Key}\n" + string.Concat(types.Select(type => "\n" + Of(type)))));

    /// <summary>One type: what it is, then its members in an order that does not depend on where they stand.</summary>
    public static string Of(Type type) => $"{Kind(type)} {TypeWords.Path(type)}{Bases(type)}\n"
        + string.Concat((type.IsEnum ? Values(type) : Members(type)).Select(line => $"    {line}\n"));

    private static string Kind(Type type) => type switch
    {
        { IsEnum: true } => "enum",
        { IsInterface: true } => "interface",
        { IsValueType: true } => (Has<IsReadOnlyAttribute>(type) ? "readonly " : "") + (IsRecord(type) ? "record struct" : "struct"),
        { IsAbstract: true, IsSealed: true } => "static class",
        _ => (type.IsSealed ? "sealed " : type.IsAbstract ? "abstract " : "") + (IsRecord(type) ? "record" : "class"),
    };

    private static bool IsRecord(Type type) =>
        type.GetMethod("PrintMembers", Hidden) is { } printing && Has<CompilerGeneratedAttribute>(printing);

    private static string Bases(Type type)
    {
        var above = type.BaseType is { } one && !type.IsValueType && one != typeof(object) ? new[] { one } : [];
        var all = above.Concat(type.IsEnum ? [] : type.GetInterfaces().OrderBy(face => face.FullName, StringComparer.Ordinal))
            .Where(face => !IsRecord(type) || !face.Name.StartsWith("IEquatable`", StringComparison.Ordinal)).Select(TypeWords.Of).ToList();
        return all.Count == 0 ? "" : " : " + string.Join(", ", all);
    }

    private static IEnumerable<string> Values(Type type) => Enum.GetNames(type).Zip(Enum.GetValuesAsUnderlyingType(type).Cast<object>())
        .Select(pair => $"{pair.First} = {Text(pair.Second)}");

    private static IEnumerable<string> Members(Type type) => new[]
    {
        ByName(type.GetFields(Own), Field),
        ByName(type.GetConstructors(Own), made => $"{TypeWords.Simple(type)}({Parameters(made)})"),
        ByName(type.GetProperties(Own).Where(property => !Has<CompilerGeneratedAttribute>(property)), Property),
        ByName(type.GetMethods(Own).Where(IsWritten), Method),
    }.SelectMany(lines => lines);

    private static IEnumerable<string> ByName<T>(IEnumerable<T> members, Func<T, string> line) where T : MemberInfo => members
        .Select(member => (member.Name, Line: line(member)))
        .OrderBy(member => member.Name, StringComparer.Ordinal).ThenBy(member => member.Line, StringComparer.Ordinal)
        .Select(member => member.Line);

    // Accessors belong to their properties; operators have special names, too, but are written.
    private static bool IsWritten(MethodInfo method) => !Has<CompilerGeneratedAttribute>(method)
        && (!method.IsSpecialName || method.Name.StartsWith("op_", StringComparison.Ordinal));

    private static string Field(FieldInfo field) => field.IsLiteral
        ? $"const {TypeWords.Of(field)} {field.Name} = {Text(field.GetRawConstantValue())}"
        : (field.IsStatic ? "static " : "") + (field.IsInitOnly ? "readonly " : "") + $"{TypeWords.Of(field)} {field.Name}";

    private static string Property(PropertyInfo property)
    {
        var (reads, writes) = (property.GetGetMethod(), property.GetSetMethod());
        var index = property.GetIndexParameters();
        var sets = writes is null ? "" : IsInit(writes) ? "init; " : "set; ";
        return ((reads ?? writes)!.IsStatic ? "static " : "") + (Has<RequiredMemberAttribute>(property) ? "required " : "")
            + $"{TypeWords.Of(property)} {(index.Length == 0 ? property.Name : $"this[{string.Join(", ", index.Select(Parameter))}]")}"
            + $" {{ {(reads is null ? "" : "get; ")}{sets}}}";
    }

    private static bool IsInit(MethodInfo setter) => setter.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit));

    private static string Method(MethodInfo method)
    {
        var kind = method.IsStatic ? "static " : method.GetBaseDefinition() != method ? "override " : method.IsAbstract ? "abstract " : "";
        var generic = method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(TypeWords.Of))}>" : "";
        return $"{kind}{TypeWords.Of(method.ReturnParameter)} {method.Name}{generic}({Parameters(method)})";
    }

    private static string Parameters(MethodBase method) =>
        (Has<ExtensionAttribute>(method) ? "this " : "") + string.Join(", ", method.GetParameters().Select(Parameter));

    private static string Parameter(ParameterInfo parameter)
    {
        var way = parameter.IsOut ? "out " : parameter.IsIn ? "in " : parameter.ParameterType.IsByRef ? "ref " : "";
        var rest = Has<ParamArrayAttribute>(parameter) || Has<ParamCollectionAttribute>(parameter) ? "params " : "";
        return $"{rest}{way}{TypeWords.Of(parameter)} {parameter.Name}{(parameter.HasDefaultValue ? $" = {Default(parameter)}" : "")}";
    }

    private static string Default(ParameterInfo parameter) => parameter.DefaultValue is null
        ? parameter.ParameterType.IsValueType && Nullable.GetUnderlyingType(parameter.ParameterType) is null ? "default" : "null"
        : Text(parameter.DefaultValue);

    private static string Text(object? value) => value switch
    {
        null => "null",
        string text => $"\"{text}\"",
        bool truth => truth ? "true" : "false",
        _ => string.Create(CultureInfo.InvariantCulture, $"{value}"),
    };

    private static bool Has<T>(ICustomAttributeProvider member) where T : Attribute => member.IsDefined(typeof(T), inherit: false);
}
