using System.Text.RegularExpressions;

namespace PerfLab.Building.Changes;

/// <summary>
/// Calls of the runtime that look at names, attributes or members of what they are given, and of types that nobody named.
/// </summary>
internal static partial class MetadataReaders
{
    /// <summary>Beginnings of "Ns.Type::Member", without the assembly.</summary>
    private static readonly string[] Look =
    [
        "System.Reflection.", "System.Type::Get", "System.Type::InvokeMember", "System.Type::Find", "System.Type::get_Attributes",
        "System.Type::get_IsPublic", "System.Type::get_IsNotPublic", "System.Type::get_IsNested", "System.Type::get_IsVisible",
        "System.Type::get_Assembly", "System.Type::get_Module", "System.Type::get_CustomAttributes", "System.Type::get_DeclaringMethod",
        "System.Type::get_TypeInitializer", "System.Type::IsDefined", "System.Activator::", "System.Attribute::Get",
        "System.Attribute::IsDefined",
        "System.AppDomain::", "System.Runtime.Loader.", "System.Linq.Expressions.", "System.Linq.Queryable",
        "Microsoft.CSharp.RuntimeBinder.",
        "System.Dynamic.", "System.Runtime.CompilerServices.CallSite", "System.Text.Json.", "System.Xml.Serialization.",
        "System.Runtime.Serialization.", "System.ComponentModel.", "System.Resources.", "System.Enum::", "System.Delegate::CreateDelegate",
        "System.Delegate::DynamicInvoke", "System.Delegate::get_Method", "System.Diagnostics.StackTrace", "System.Diagnostics.StackFrame",
        "System.Exception::get_TargetSite", "System.Exception::get_StackTrace", "System.Environment::get_StackTrace",
        "System.RuntimeMethodHandle::",
        "System.RuntimeFieldHandle::", "System.Composition.", "Microsoft.Extensions.", "Microsoft.AspNetCore.", "System.Data.",
    ];

    /// <summary>They tell only which type it is, or run a constructor, which is in the list.</summary>
    private static readonly string[] Harmless =
    [
        "System.Type::GetTypeFromHandle", "System.Type::GetGenericTypeDefinition", "System.Type::GetGenericArguments",
        "System.Type::GetElementType",
        "System.Type::GetTypeCode", "System.Type::GetHashCode", "System.Activator::CreateInstance`1()",
        "System.Activator::CreateInstance(System.Type)", "System.Enum::HasFlag", "System.Enum::GetHashCode", "System.Enum::Equals",
        "System.Reflection.MemberInfo::get_Name", "System.Reflection.MemberInfo::op_", "System.Reflection.MemberInfo::Equals",
    ];

    /// <summary>"Type.GetMethods", or null when no listed method calls such a thing.</summary>
    public static string? Seen(BuildIndex index, IEnumerable<string> listed)
    {
        foreach (var call in listed.Select(id => index.Methods.GetValueOrDefault(id)).OfType<MethodModel>()
            .SelectMany(method => method.Calls))
        {
            var end = call.IndexOf(']');
            var plain = Assembly().Replace(call, "");
            // A package that has such a name is in the lists itself.
            if (!index.Names.Contains(call[1..end]) && Look.Any(Begins) && !Harmless.Any(Begins))
            {
                var member = plain.IndexOf("::", StringComparison.Ordinal);
                return $"{TypeReader.Short(plain[..member])}.{plain[(member + 2)..plain.IndexOf('(', member)]}";
            }

            bool Begins(string text) => plain.StartsWith(text, StringComparison.Ordinal);
        }

        return null;
    }

    // An array is "[]", or "[2:…]".
    [GeneratedRegex(@"\[[^\]0-9][^\]]*\]", RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex Assembly();
}
