namespace PerfLab.Core.Evidence;

/// <summary>
/// What the JIT itself wrote into DOTNET_JitStdOutFile (.NET 8 and later): a line for each method that it compiled, with tier and profile.
/// </summary>
public sealed record JitSummary
{
    /// <summary>
    /// A method that every runtime calls before Main and ships precompiled: it is in the file only when ReadyToRun code is not used.
    /// </summary>
    private static readonly byte[] CoreLibraryMethod = "System.AppContext:Setup("u8.ToArray();

    /// <summary>Compilations, all tiers.</summary>
    public int Methods { get; private init; }

    /// <summary>Compilations with instrumentation: they exist only under dynamic PGO.</summary>
    public int Instrumented { get; private init; }

    /// <summary>Compilations in the first tier, instrumented or not.</summary>
    public int Tier0 { get; private init; }

    /// <summary>Compilations in the last tier, the instrumented stop on the way included.</summary>
    public int Tier1 { get; private init; }

    /// <summary>Loops that left the first tier while they ran.</summary>
    public int Osr { get; private init; }

    /// <summary>Fully optimised at once.</summary>
    public int FullOpts { get; private init; }

    /// <summary>Precompiled code of the core library was not used.</summary>
    public bool CoreLibraryWasJitted { get; private init; }

    /// <summary>Lines that are none of the JIT's.</summary>
    public int ForeignLines { get; private init; }

    /// <summary>Reads the file as hostile input.</summary>
    public static JitSummary Parse(ReadOnlySpan<byte> text)
    {
        var summary = new JitSummary();
        foreach (var range in text.Split((byte)'\n'))
        {
            var line = text[range];
            if (line.Length > 0)
            {
                summary = Label(line) is { } label ? summary.With(label, line.IndexOf(CoreLibraryMethod) >= 0) : summary with { ForeignLines = summary.ForeignLines + 1 };
            }
        }

        return summary;
    }

    /// <summary>As in a sentence: "73 of 378 methods instrumented".</summary>
    public string InstrumentedOfAll => Invariant($"{Instrumented} of {Methods} methods instrumented");

    // "   7: JIT compiled Some.Type`1[int]:Method(int) [Instrumented Tier0, IL size=26, code size=96]": generics have brackets, too, so the last pair counts.
    private static string? Label(ReadOnlySpan<byte> line)
    {
        var open = line.LastIndexOf((byte)'[');
        if (open < 0 || line[^1] != (byte)']' || line[..open].IndexOf(": JIT compiled "u8) < 0)
        {
            return null;
        }

        var inside = line[(open + 1)..^1];
        return inside.IndexOf(", IL size="u8) is >= 0 and < 80 and var end ? Encoding.ASCII.GetString(inside[..end]) : null;
    }

    private JitSummary With(string label, bool isCoreLibraryMethod)
    {
        var instrumented = label.StartsWith("Instrumented ", StringComparison.Ordinal);
        var tier = instrumented ? label["Instrumented ".Length..] : label;
        var osr = tier.StartsWith("Tier1-OSR", StringComparison.Ordinal);
        return this with
        {
            Methods = Methods + 1,
            Instrumented = Instrumented + (instrumented ? 1 : 0),
            Tier0 = Tier0 + (tier.StartsWith("Tier0", StringComparison.Ordinal) ? 1 : 0),
            Osr = Osr + (osr ? 1 : 0),
            Tier1 = Tier1 + (!osr && tier.StartsWith("Tier1", StringComparison.Ordinal) ? 1 : 0),
            FullOpts = FullOpts + (tier.StartsWith("FullOpts", StringComparison.Ordinal) ? 1 : 0),
            CoreLibraryWasJitted = CoreLibraryWasJitted || isCoreLibraryMethod,
        };
    }
}
