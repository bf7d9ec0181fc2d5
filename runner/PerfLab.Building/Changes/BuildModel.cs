namespace PerfLab.Building.Changes;

/// <summary>A method of a build. Those that the compiler made for it (lambdas, iterators, closures) are parts of it.</summary>
internal sealed record MethodModel
{
    /// <summary>"[Lib]Ns.Type`1::Name`1(System.Int32):System.Void".</summary>
    public required string Id { get; init; }

    /// <summary>Of the type that declares it.</summary>
    public required string Type { get; init; }

    /// <summary>As a person reads it: "Type.Name".</summary>
    public required string Words { get; init; }

    /// <summary>Hash over everything that the runtime sees of it.</summary>
    public required string Code { get; init; }

    /// <summary>"Name/2" where it is virtual: calls of anything that is called so may come here. Else null.</summary>
    public required string? Slot { get; init; }

    /// <summary>It never returns: the JIT inlines no such method.</summary>
    public required bool OnlyThrows { get; init; }

    /// <summary>Ids of what it calls, makes or takes the address of.</summary>
    public required IReadOnlySet<string> Calls { get; init; }

    /// <summary>The simple name of what an UnsafeAccessor stands for: any method that is called so; else null.</summary>
    public required string? Accesses { get; init; }

    /// <summary>Slots of those that are dispatched.</summary>
    public required IReadOnlySet<string> Dispatched { get; init; }

    /// <summary>Every type that is named in its body, its signature and its locals.</summary>
    public required IReadOnlySet<string> Types { get; init; }

    /// <summary>Types whose static constructor it may start, or whose finalizer it may need.</summary>
    public required IReadOnlySet<string> Touched { get; init; }
}

/// <summary>A type of a build, as far as the runtime sees it.</summary>
internal sealed record TypeModel
{
    /// <summary>"[Lib]Ns.Type`1".</summary>
    public required string Id { get; init; }

    public required string Words { get; init; }

    public required bool IsInterface { get; init; }

    /// <summary>A structure or an enum.</summary>
    public required bool IsValue { get; init; }

    /// <summary>Hash over base, interfaces, flags, layout, fields and their order, enum values, finalizer, static constructor.</summary>
    public required string Shape { get; init; }

    /// <summary>Hash over the attributes of it and of its properties and events.</summary>
    public required string Attributes { get; init; }

    /// <summary>Hash over all that only reflection sees: names, access, attributes, constants, parameters.</summary>
    public required string Reflected { get; init; }

    /// <summary>Its base and its interfaces.</summary>
    public required IReadOnlySet<string> Above { get; init; }

    /// <summary>Types of its fields: one that it holds by value decides its layout.</summary>
    public required IReadOnlySet<string> Held { get; init; }
}

/// <summary>How the JIT calls a method in its list, and which method of the build that is.</summary>
/// <param name="Name">"Ns.Outer+Type`1:Method".</param>
/// <param name="IlSize">Bytes.</param>
/// <param name="Parameters">How many.</param>
/// <param name="Id">Null where the compiler made it: whoever it was made for ran before it, and is in the list by its own name.</param>
internal sealed record JitName(string Name, int IlSize, int Parameters, string? Id);

/// <summary>An assembly of a build.</summary>
internal sealed record AssemblyModel
{
    public required string Name { get; init; }

    /// <summary>Hash over what the runtime obeys for all of it: attributes, flags, resources, entry point.</summary>
    public required string Whole { get; init; }

    /// <summary>Hash over attributes that only reflection sees.</summary>
    public required string Reflected { get; init; }

    /// <summary>It holds machine code beside its IL.</summary>
    public required bool IsPrecompiled { get; init; }

    public required IReadOnlyList<TypeModel> Types { get; init; }

    public required IReadOnlyList<MethodModel> Methods { get; init; }

    public required IReadOnlyList<JitName> JitNames { get; init; }

    /// <summary>Types that it only passes on: id as it would be here, id where it is.</summary>
    public required IReadOnlyDictionary<string, string> Forwards { get; init; }
}
