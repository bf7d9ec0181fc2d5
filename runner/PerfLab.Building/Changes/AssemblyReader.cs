using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Security.Cryptography;

namespace PerfLab.Building.Changes;

/// <summary>An assembly's bytes -> what of it can be held against another build.</summary>
internal sealed class AssemblyReader
{
    private readonly PEReader _image;
    private readonly MetadataReader _reader;
    private readonly MemberNames _names;
    private readonly AttributeText _attributes;
    private readonly TypeReader _types;
    private readonly HashSet<EntityHandle> _bodies;

    private AssemblyReader(PEReader image)
    {
        (_image, _reader) = (image, image.GetMetadataReader());
        _names = new(_reader);
        _attributes = new(_reader, _names.Types);
        _types = new(_reader, image, _names);
        _bodies = [.. _reader.TypeDefinitions.SelectMany(type => _reader.GetTypeDefinition(type).GetMethodImplementations())
            .Select(one => _reader.GetMethodImplementation(one).MethodBody)];
    }

    /// <summary>Null for a file that is no assembly with IL.</summary>
    /// <exception cref="BadImageFormatException">It claims to be one and can't be read.</exception>
    public static AssemblyModel? Read(byte[] bytes)
    {
        using var image = new PEReader(new MemoryStream(bytes, writable: false));
        try
        {
            return image.HasMetadata && image.GetMetadataReader().IsAssembly ? new AssemblyReader(image).Read() : null;
        }
        catch (BadImageFormatException) when (bytes is not [(byte)'M', (byte)'Z', ..])
        {
            return null;
        }
    }

    internal static string Hash(string text) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)).AsSpan(0, 16));

    private AssemblyModel Read()
    {
        var (methods, names) = Methods();
        return new()
        {
            Name = _names.Types.Assembly,
            Whole = Hash(Whole()),
            Reflected = Hash($"{_reader.GetAssemblyDefinition().Version}\n{Attributes(isObeyed: false)}"),
            IsPrecompiled = _image.PEHeaders.CorHeader!.ManagedNativeHeaderDirectory.Size > 0,
            Types = [.. _reader.TypeDefinitions.Select(_types.Read)],
            Methods = methods,
            JitNames = names,
            Forwards = Forwards(),
        };
    }

    /// <summary>People's methods first, each with what the compiler made for it; what is left over stands for itself.</summary>
    private (List<MethodModel> Methods, List<JitName> Names) Methods()
    {
        var (models, parts, names) = (new List<MethodModel>(), new HashSet<MethodDefinitionHandle>(), new List<JitName>());
        foreach (var handle in _reader.MethodDefinitions.OrderBy(_names.IsMade))
        {
            var isPart = parts.Contains(handle);
            names.Add(JitNameOf(handle, isPart));
            if (!isPart)
            {
                var text = MethodText.Of(_reader, _image, _names, handle);
                models.Add(Model(handle, text));
                parts.UnionWith(text.Parts);
            }
        }

        return (models, names);
    }

    private MethodModel Model(MethodDefinitionHandle handle, MethodText text)
    {
        var id = _names.Of(handle);
        var method = _reader.GetMethodDefinition(handle);
        var type = _names.Types.Plain(method.GetDeclaringType());
        return new()
        {
            Id = id,
            Type = _names.Types.Of(method.GetDeclaringType()),
            Words = $"{TypeReader.Short(type)}.{_reader.GetString(method.Name)}",
            Code = Hash(text.Text),
            // A static member of an interface is implemented by one that is not virtual, and named as its body.
            Slot = method.Attributes.HasFlag(MethodAttributes.Virtual) || _bodies.Contains(handle) ? MemberNames.Slot(id) : null,
            OnlyThrows = text.OnlyThrows,
            Calls = text.Calls,
            Accesses = UnsafeAccessors.Called(_reader, method),
            Dispatched = text.Dispatched,
            Types = text.NamedTypes,
            Touched = text.Touched,
        };
    }

    private JitName JitNameOf(MethodDefinitionHandle handle, bool isPart)
    {
        var method = _reader.GetMethodDefinition(handle);
        var size = method.RelativeVirtualAddress == 0 ? 0 : _image.GetMethodBody(method.RelativeVirtualAddress).GetILReader().Length;
        return new($"{_names.Types.Plain(method.GetDeclaringType())}:{_reader.GetString(method.Name)}", size,
            method.DecodeSignature(_names.Types, null).ParameterTypes.Length, isPart ? null : _names.Of(handle));
    }

    private string Whole()
    {
        var assembly = _reader.GetAssemblyDefinition();
        var header = _image.PEHeaders.CorHeader!;
        var entry = MetadataTokens.EntityHandle(header.EntryPointTokenOrRelativeVirtualAddress);
        var resources = _reader.ManifestResources.Select(_reader.GetManifestResource)
            .Select(resource => $"{_reader.GetString(resource.Name)}={Resource(resource)}").Order(StringComparer.Ordinal);
        return string.Join('\n', _names.Types.Assembly, _reader.GetString(assembly.Culture),
            Convert.ToHexStringLower(_reader.GetBlobBytes(assembly.PublicKey)),
            assembly.Flags, header.Flags, _image.PEHeaders.CoffHeader.Machine, header.ManagedNativeHeaderDirectory.Size > 0,
            entry is { IsNil: false, Kind: HandleKind.MethodDefinition } ? _names.Of((MethodDefinitionHandle)entry) : "",
            string.Join('\n', resources), Attributes(isObeyed: true));
    }

    private string Resource(ManifestResource resource)
    {
        if (!resource.Implementation.IsNil)
        {
            return "elsewhere";
        }

        var section = _image.GetSectionData(_image.PEHeaders.CorHeader!.ResourcesDirectory.RelativeVirtualAddress)
            .GetReader((int)resource.Offset, 4);
        var length = section.ReadInt32();
        var bytes = _image.GetSectionData(_image.PEHeaders.CorHeader.ResourcesDirectory.RelativeVirtualAddress)
            .GetContent((int)resource.Offset + 4, length);
        return Convert.ToHexStringLower(SHA256.HashData(bytes.AsSpan()));
    }

    private string Attributes(bool isObeyed) =>
        _attributes.Of(_reader.GetAssemblyDefinition().GetCustomAttributes(), name => ForReflection.Contains(name) != isObeyed)
        + "\n" + _attributes.Of(_reader.GetModuleDefinition().GetCustomAttributes(), name => ForReflection.Contains(name) != isObeyed);

    /// <summary>Attributes of assemblies and modules that the runtime never looks at. Whatever is not here it may obey.</summary>
    private static readonly HashSet<string> ForReflection = new(
        new[]
        {
            "AssemblyTitle", "AssemblyDescription", "AssemblyCompany", "AssemblyProduct", "AssemblyCopyright", "AssemblyTrademark",
            "AssemblyConfiguration", "AssemblyFileVersion", "AssemblyInformationalVersion", "AssemblyMetadata", "AssemblyDefaultAlias",
        }.Select(name => $"System.Reflection.{name}Attribute").Concat(new[]
        {
            "System.Runtime.CompilerServices.InternalsVisibleToAttribute", "System.Runtime.CompilerServices.RefSafetyRulesAttribute",
            "System.Runtime.CompilerServices.NullablePublicOnlyAttribute", "System.Runtime.CompilerServices.ExtensionAttribute",
            "System.CLSCompliantAttribute", "System.Runtime.InteropServices.ComVisibleAttribute",
            "System.Runtime.InteropServices.GuidAttribute",
        }), StringComparer.Ordinal);

    private Dictionary<string, string> Forwards()
    {
        var forwards = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var type in _reader.ExportedTypes.Select(_reader.GetExportedType).Where(type =>
            type.Implementation.Kind == HandleKind.AssemblyReference))
        {
            var (space, name) = (_reader.GetString(type.Namespace), _reader.GetString(type.Name));
            var plain = space.Length == 0 ? name : $"{space}.{name}";
            var target = _reader.GetString(_reader.GetAssemblyReference((AssemblyReferenceHandle)type.Implementation).Name);
            forwards[$"[{_names.Types.Assembly}]{plain}"] = $"[{target}]{plain}";
        }

        return forwards;
    }
}
